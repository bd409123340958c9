"""The documents that two runs both show."""

from dataclasses import dataclass

import numpy as np

from assay.records import Ints, Names, Rankings, Words, as_words, fingerprints

__all__ = ["Common", "common"]


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """A row per query and document in the top of both runs, and how much each run shows."""

    queries: tuple[str, ...]
    query: Ints
    left: Ints
    right: Ints
    left_shown: Ints
    right_shown: Ints


def common(left: Rankings, right: Rankings, depth: int) -> Common:
    """Match the first ``depth`` documents of each query; queries of either run count."""
    queries = tuple(dict.fromkeys((*left.queries, *right.queries)))
    number = {query: at for at, query in enumerate(queries)}
    ours, theirs = _Top.of(left, number, depth), _Top.of(right, number, depth)
    at, to = _match(ours, theirs)
    size = len(queries)
    return Common(
        queries,
        ours.query[at],
        ours.rank[at],
        theirs.rank[to],
        np.bincount(ours.query, minlength=size),
        np.bincount(theirs.query, minlength=size),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Top:
    query: Ints
    rank: Ints
    document: Names

    @classmethod
    def of(cls, run: Rankings, number: dict[str, int], depth: int) -> "_Top":
        shown = np.minimum(run.counts, depth)
        start = np.repeat(run.offsets[:-1], shown)
        place = np.arange(len(start)) - np.repeat(np.cumsum(shown) - shown, shown)
        query = np.array([number[query] for query in run.queries], np.int64)
        return cls(np.repeat(query, shown), place + 1, run.documents[start + place])

    def keys(self, seed: int) -> Words:
        numbers = self.query.astype(np.uint64).reshape(-1, 1) + np.uint64(1)
        return fingerprints(as_words(self.document), fingerprints(numbers, np.uint64(seed)))


def _match(ours: _Top, theirs: _Top) -> tuple[Ints, Ints]:
    """Return the rows of both that hold the same query and document."""
    for seed in range(64):
        mine, other = ours.keys(seed), theirs.keys(seed)
        if len(np.unique(mine)) < len(mine) or len(np.unique(other)) < len(other):
            continue
        _, at, to = np.intersect1d(mine, other, assume_unique=True, return_indices=True)
        same = ours.query[at] == theirs.query[to]
        same &= ours.document[at] == theirs.document[to]
        if same.all():
            return at, to
    raise AssertionError("64 different fingerprints cannot all collide")
