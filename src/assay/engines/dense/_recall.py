"""How much an approximate index misses, measured against the exact one."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from assay.errors import InputError
from assay.records import FoundRows, Ints, Vectors

__all__ = ["Recall", "recall"]


@dataclass(frozen=True, slots=True)
class Recall:
    """The share of the exact top k that an index found: over ``queries``, mean and worst."""

    mean: float
    worst: float
    queries: int
    k: int


class Nearest(Protocol):
    """Whatever finds the rows that are nearest to a vector."""

    def search(self, vector: Vectors, depth: int) -> FoundRows:
        """Return the nearest rows, best first."""


def recall(
    index: Nearest,
    exact: Nearest,
    queries: Vectors,
    k: int,
    *,
    depth: int | None = None,
    own: Ints | None = None,
) -> Recall:
    """Ask both and compare, query by query; those that find nothing exactly do not count.

    The index is asked for ``depth``, of which the first k count: many look further the more they
    are asked for, so that it is to be what searches ask. Queries that are vectors of the index
    itself are told by their ``own`` rows, which do not count: an index hardly misses them.
    """
    left_out = np.full(len(queries), -1) if own is None else own
    more = 0 if own is None else 1
    shares = []
    for query, row in zip(queries, left_out, strict=True):
        truth = _others(exact.search(query, k + more).rows, row)[:k]
        if len(truth):
            found = _others(index.search(query, max(k + more, depth or k)).rows, row)[:k]
            shares.append(float(np.isin(truth, found).mean()))
    if not shares:
        raise InputError(
            "recall cannot be measured: no query returned a result",
            where="dense",
            hint="pass at least one query vector, k >= 1 and an index with vectors",
        )
    return Recall(float(np.mean(shares)), min(shares), len(shares), k)


def _others(rows: Ints, own: int) -> Ints:
    others: Ints = rows[rows != own]
    return others
