"""How much an approximate index misses, measured against the exact one."""

from dataclasses import dataclass

import numpy as np

from assay.engines.dense._index import DenseIndex
from assay.errors import InputError
from assay.records import Vectors

__all__ = ["Recall", "recall"]


@dataclass(frozen=True, slots=True)
class Recall:
    """The share of the exact top k that an index found: over ``queries``, mean and worst."""

    mean: float
    worst: float
    queries: int
    k: int


def recall(index: DenseIndex, exact: DenseIndex, queries: Vectors, k: int) -> Recall:
    """Ask both and compare, query by query; those that find nothing exactly do not count."""
    shares = []
    for query in queries:
        truth = exact.search(query, k).rows
        if len(truth):
            shares.append(float(np.isin(truth, index.search(query, k).rows).mean()))
    if not shares:
        raise InputError(
            "recall needs a query that finds something",
            where="dense",
            hint="give at least one query's vector, k of at least 1 and an index with vectors",
        )
    return Recall(float(np.mean(shares)), min(shares), len(shares), k)
