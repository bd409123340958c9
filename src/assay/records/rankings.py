"""What a search answered: for each query its documents, best first."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from assay.records.arrays import Floats, Ints, Names
from assay.records.lookup import Lookup
from assay.records.names import decode

__all__ = ["Rankings"]


@dataclass(frozen=True, eq=False)
class Rankings:
    """All rankings of one run; those of ``queries[i]`` are rows ``offsets[i]:offsets[i + 1]``.

    Rows are in ranking order. ``tokens`` are the lengths of the results, where they are known.
    ``tied`` counts the neighbours with equal scores, whose order the
    tie rule ``ties`` decided.
    """

    name: str
    queries: tuple[str, ...]
    offsets: Ints
    documents: Names
    scores: Floats
    ties: str = "docid"
    tied: int = 0
    notes: tuple[str, ...] = field(default=())
    tokens: Ints | None = None

    @cached_property
    def lookup(self) -> Lookup:
        """Find rows by query and document."""
        return Lookup.of(self.offsets, self.documents)

    @property
    def counts(self) -> Ints:
        """How many documents each query got."""
        return np.diff(self.offsets)

    def numbers(self, queries: Sequence[str]) -> Ints:
        """Return the number of each query in this run, -1 for a query without results."""
        number = {query: at for at, query in enumerate(self.queries)}
        return np.array([number.get(query, -1) for query in queries], np.int64)

    def ranks(self, number: Ints, documents: Names) -> Ints:
        """Return the rank of each document for the query of that number, 0 where it has none."""
        ranks = np.zeros(len(number), np.int64)
        asked = np.flatnonzero(number >= 0)
        row = self.lookup.find(number[asked], documents[asked])
        ranks[asked] = np.where(row >= 0, row - self.offsets[number[asked]] + 1, 0)
        return ranks

    def top(self, query: str, k: int | None = None) -> list[str]:
        """Return the top k documents of one query; empty for a query without results."""
        if query not in self.queries:
            return []
        at = self.queries.index(query)
        start, end = int(self.offsets[at]), int(self.offsets[at + 1])
        return decode(self.documents[start : end if k is None else min(end, start + k)])
