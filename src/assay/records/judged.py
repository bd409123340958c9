"""A run seen through the judgments: the retrieved documents that somebody judged.

Unjudged documents need no row: they have no gain, and how many there are follows from the ranks
and from how much was retrieved. This keeps a run of millions of rows as small as its judgments.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from assay.errors import InputError
from assay.records.arrays import Bools, Floats, Ints, PerQuery

__all__ = ["Coverage", "JudgedRankings", "ratio"]


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Which document meets which item: as retrieved, with its ranks, and in the whole pool.

    Where items are shared, documents of the pool are numbered by their ids, the last one first.
    """

    query: Ints
    rank: Ints
    first: Ints
    last: Ints
    item: Ints
    grade: Ints
    pool_query: Ints
    pool_document: Ints
    pool_item: Ints
    pool_grade: Ints


@dataclass(frozen=True, eq=False)
class JudgedRankings:
    """The judged hits of all queries, ordered by query and rank.

    A row is a hit, or, where a document meets several expected items at once, one row per item:
    ``leading`` marks the one of them that represents the document, and only one row carries its
    ``gain``. A document whose items all stand higher up already keeps one row, not ``fresh``.
    ``first`` and ``last`` are the ranks between which equal scores let a hit move; they equal
    ``rank`` unless the tie rule is ``expected``. ``ideal_query`` and ``ideal_grade`` list every
    judged item, the best of each query first. ``level`` is the lowest grade that counts as
    relevant, and ``factor`` by what the ratings were multiplied. ``coverage`` keeps also the items
    that were claimed before, for diversity. ``tokens`` are those of all results down to each row,
    where they are known.
    """

    queries: tuple[str, ...]
    query: Ints
    rank: Ints
    grade: Ints
    gain: Floats
    leading: Bools
    fresh: Bools
    first: Ints
    last: Ints
    retrieved: Ints
    ideal_query: Ints
    ideal_grade: Ints
    scale: int
    coverage: Coverage
    tied: bool = False
    level: int = 1
    factor: int = 1
    tokens: Ints | None = None

    def within_tokens(self, most: int, metric: str) -> "JudgedRankings":
        """Keep the hits that fit into a number of tokens, each with all results above it."""
        if self.tokens is None:
            hint = "use it in the metrics of a benchmark with a corpus (assay run)"
            raise InputError("needs the texts of the results", where=metric, hint=hint)
        kept = self.tokens <= most
        rows = ("query", "rank", "grade", "gain", "leading", "fresh", "first", "last", "tokens")
        return replace(self, **{name: getattr(self, name)[kept] for name in rows})

    def at_level(self, level: int) -> "JudgedRankings":
        """See the same rankings with another lowest relevant grade."""
        return self if level == self.level else replace(self, level=level)

    @cached_property
    def relevant(self) -> Bools:
        """Rows whose item is relevant."""
        return self.grade >= self.level

    @cached_property
    def judged(self) -> Bools:
        """Rows of judged documents; pooled but unjudged ones are not among them."""
        return self.leading & (self.grade >= 0)

    @cached_property
    def total_relevant(self) -> PerQuery:
        """How many relevant items each query has, retrieved or not."""
        return self._bincount(self.ideal_query[self.ideal_grade >= self.level])

    def within(self, k: int | None) -> Floats:
        """Give each row the chance of standing in the top k: 0 or 1, or between when tied."""
        if k is None:
            return np.ones(len(self.rank))
        if not self.tied:
            return (self.rank <= k).astype(np.float64)
        return np.clip((k + 1 - self.first) / (self.last + 1 - self.first), 0.0, 1.0)

    def expect(self, value: Callable[[Floats], Floats], k: int | None = None) -> Floats:
        """Give each row the value of its rank, 0 below k, averaged over the places ties allow."""
        if not self.tied:
            values = value(self.rank.astype(np.float64))
            return values if k is None else np.where(self.rank <= k, values, 0.0)
        ranks = np.arange(1.0, self.last.max(initial=0) + 1)
        values = value(ranks)
        if k is not None:
            values = np.where(ranks <= k, values, 0.0)
        running = np.concatenate(([0.0], np.cumsum(values)))
        spread = (running[self.last] - running[self.first - 1]) / (self.last + 1 - self.first)
        return np.where(self.first == self.last, values[self.rank - 1], spread)

    def sum(self, values: Floats | Bools) -> PerQuery:
        """Add up a value of each row, query by query."""
        return self._bincount(self.query, np.asarray(values, np.float64))

    def above(self, values: Floats | Bools) -> Floats:
        """Add up a value over the rows of better-ranked documents of the same query."""
        running = np.concatenate(([0.0], np.cumsum(values)))
        return running[self._document_start] - running[self._query_start]

    @cached_property
    def _query_start(self) -> Ints:
        return np.searchsorted(self.query, self.query)

    @cached_property
    def _document_start(self) -> Ints:
        """The first row of the same document: rows of one document stand together."""
        new = np.ones(len(self.query), bool)
        new[1:] = (np.diff(self.query) != 0) | (np.diff(self.rank) != 0)
        return np.maximum.accumulate(np.where(new, np.arange(len(new)), 0))

    def ideal_sum(self, gain: Callable[[Floats], Floats], k: int | None = None) -> PerQuery:
        """Return the discounted gain of the ideal ranking, over all judged items."""
        keep = self.ideal_grade > 0
        if k is not None:
            keep &= self._ideal_rank <= k
        gains = gain(self.ideal_grade[keep].astype(np.float64))
        return self._bincount(self.ideal_query[keep], gains / np.log2(self._ideal_rank[keep] + 1.0))

    @cached_property
    def _ideal_rank(self) -> Ints:
        counts = np.bincount(self.ideal_query, minlength=len(self.queries))
        starts = np.cumsum(counts) - counts
        return np.arange(1, len(self.ideal_query) + 1) - starts[self.ideal_query]

    def _bincount(self, query: Ints, weights: Floats | None = None) -> PerQuery:
        return np.bincount(query, weights, minlength=len(self.queries)).astype(np.float64)


def ratio(part: PerQuery, whole: PerQuery) -> PerQuery:
    """Divide query by query; a query with nothing to find scores 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
