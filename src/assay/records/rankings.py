"""What a search answered: for each query its documents, best first."""

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

    Rows are in ranking order. ``tied`` counts the neighbours with equal scores, whose order the
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

    @cached_property
    def lookup(self) -> Lookup:
        """Find rows by query and document."""
        return Lookup.of(self.offsets, self.documents)

    @property
    def counts(self) -> Ints:
        """How many documents each query got."""
        return np.diff(self.offsets)

    def top(self, query: str, k: int | None = None) -> list[str]:
        """Return the first k documents of one query; a query without an answer has none."""
        if query not in self.queries:
            return []
        at = self.queries.index(query)
        start, end = int(self.offsets[at]), int(self.offsets[at + 1])
        return decode(self.documents[start : end if k is None else min(end, start + k)])
