"""The ranks that a run file gives + its scores -> for how many queries they disagree."""

from dataclasses import dataclass

import numpy as np

from assay.columns import Triples
from assay.records import Floats, Ints

__all__ = ["RankCheck", "check_ranks"]


@dataclass(frozen=True, slots=True)
class RankCheck:
    """How many queries were looked at, and of how many the scores rise somewhere along the ranks.

    ``rising`` counts those whose scores only rise, as distances do. Equal ranks and equal scores
    say nothing; a query that has only such is not looked at. ``whole`` tells whether all rows were.
    """

    queries: int
    disagree: int
    rising: int
    whole: bool

    @property
    def are_distances(self) -> bool:
        """Tell whether every query has its best document at its lowest score."""
        return 0 < self.queries == self.rising

    def notes(self) -> tuple[str, ...]:
        """Say that the scores decide all the same."""
        if not self.disagree:
            return ()
        some = "1 query disagree" if self.disagree == 1 else f"{self.disagree:,} queries disagree"
        start = "" if self.whole else f" (of the first {self.queries:,})"
        note = f"the ranks of {some} with {'its' if self.disagree == 1 else 'their'} scores{start}"
        negate = "; if these are distances, negate them" if 2 * self.rising > self.queries else ""
        return (f"{note}: scores decide (higher is better){negate}",)


def check_ranks(triples: Triples) -> RankCheck:
    """Compare the order of ranks and scores in each query, as far as ranks were read."""
    if triples.ranks is None:
        return RankCheck(0, 0, 0, whole=True)
    count = len(triples.ranks)
    query = np.searchsorted(triples.offsets, np.arange(count), side="right")
    rows = np.flatnonzero(np.isfinite(triples.ranks))
    ranks, scores, query = triples.ranks[rows], triples.values[:count][rows], query[rows]
    if not _is_in_order(ranks, query):
        order = np.lexsort((-scores, ranks, query))
        ranks, scores, query = ranks[order], scores[order], query[order]
    later = (query[1:] == query[:-1]) & (ranks[1:] > ranks[:-1])
    rises = query[1:][later & (scores[1:] > scores[:-1])]
    falls = query[1:][later & (scores[1:] < scores[:-1])]
    disagree = set(rises.tolist())
    only = disagree.difference(falls.tolist())
    looked_at = disagree.union(falls.tolist())
    whole = count == len(triples.values)
    return RankCheck(len(looked_at), len(disagree), len(only), whole=whole)


def _is_in_order(ranks: Floats, query: Ints) -> bool:
    """Tell whether the ranks of every query rise from row to row, as most programs write them."""
    return bool(((query[1:] != query[:-1]) | (ranks[1:] > ranks[:-1])).all())
