"""The ranks that a run file gives + its scores -> for how many queries they disagree."""

from dataclasses import dataclass

import numpy as np

from assay.columns import Triples
from assay.columns.run_columns import SAMPLE
from assay.records import Floats, Ints
from assay.text.count_noun import count_noun

__all__ = ["RankCheck", "check_ranks", "order_notes"]

ENOUGH = 6  # rises without any fall that are surely no chance
FLAT = (
    "all documents of a query have the same score, so the ranks are ignored and ties are ordered by"
    " document id; use --ties order (ties='order') to keep the order of the file"
)
RISING = (
    "the scores of every query increase from its first row to its last, but higher is better: if"
    " they are distances or ranks, negate them"
)


@dataclass(frozen=True, slots=True)
class RankCheck:
    """How many queries were looked at, and of how many the scores rise somewhere along the ranks.

    ``rising`` counts those whose scores only rise, as distances do. Equal ranks and equal scores
    say nothing; a query that has only such is not looked at. ``whole`` tells whether all rows were.
    ``flat`` says that there are ranks, but no query has two different scores.
    """

    queries: int
    disagree: int
    rising: int
    whole: bool
    flat: bool = False

    @property
    def are_distances(self) -> bool:
        """Tell whether every query has its best document at its lowest score."""
        return 0 < self.queries == self.rising

    def notes(self, ties: str = "docid") -> tuple[str, ...]:
        """Say that the scores decide all the same."""
        if self.flat and ties == "docid":
            return (FLAT,)
        if not self.disagree:
            return ()
        start = "" if self.whole else f" (of the first {self.queries:,})"
        note = f"the ranks of {count_noun(self.disagree, 'query')}{start} contradict the scores"
        negate = "; if these are distances, negate them" if 2 * self.rising > self.queries else ""
        return (f"{note}: scores are used (higher is better){negate}",)


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
    whole, flat = count == len(triples.values), int(later.sum()) > 1 and not looked_at
    return RankCheck(len(looked_at), len(disagree), len(only), whole=whole, flat=flat)


def order_notes(triples: Triples) -> tuple[str, ...]:
    """Say that scores only rise from row to row, in a file that gives no ranks."""
    scores = triples.values[:SAMPLE]
    if triples.ranks is not None or len(scores) <= ENOUGH:
        return ()
    same = np.ones(len(scores) - 1, bool)
    same[triples.offsets[1:-1][triples.offsets[1:-1] < len(scores)] - 1] = False  # other queries
    rises = int(((scores[1:] > scores[:-1]) & same).sum())
    falls = ((scores[1:] < scores[:-1]) & same).any()
    return (RISING,) if rises >= ENOUGH and not falls else ()


def _is_in_order(ranks: Floats, query: Ints) -> bool:
    """Tell whether the ranks of every query rise from row to row, as most programs write them."""
    return bool(((query[1:] != query[:-1]) | (ranks[1:] > ranks[:-1])).all())
