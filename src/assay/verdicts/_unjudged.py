"""The unjudged documents that two runs show, with their ranks in both."""

from dataclasses import dataclass

import numpy as np

from assay.records import (
    Ints,
    Metric,
    Names,
    as_words,
    fingerprints,
)
from assay.verdicts.side import Side

__all__ = ["ABSENT", "Unjudged", "first_relevant", "unjudged"]

ABSENT = 2**31 - 1  # a rank that no document has


@dataclass(frozen=True, slots=True, eq=False)
class Unjudged:
    """A row per query and unjudged document in the top k of either run; ABSENT where not shown."""

    query: Ints
    document: Names
    candidate: Ints
    baseline: Ints


def unjudged(baseline: Side | None, candidate: Side, k: int | None) -> Unjudged:
    """Find the documents of both runs' top k that nobody judged."""
    shown = [_shown(side, k) for side in (candidate, baseline) if side is not None]
    query = np.concatenate([part[0] for part in shown])
    document = _join([part[1] for part in shown])
    rank = np.concatenate([part[2] for part in shown])
    which = np.repeat(np.arange(len(shown)), [len(part[0]) for part in shown])
    pair = _pairs(query, document)
    count = int(pair.max(initial=-1)) + 1
    ranks = np.full((2, count), ABSENT, np.int64)
    ranks[which, pair] = rank
    first = np.zeros(count, np.int64)
    first[pair[::-1]] = np.arange(len(pair))[::-1]
    order = np.argsort(query[first], kind="stable")
    return Unjudged(query[first][order], document[first][order], ranks[0][order], ranks[1][order])


def _shown(side: Side, k: int | None) -> tuple[Ints, Names, Ints]:
    """List query, document and rank of the unjudged rows in the top k."""
    run, judged = side.rankings, side.judged
    at = {query: number for number, query in enumerate(run.queries)}
    where = np.array([at.get(query, -1) for query in judged.queries], np.int64)
    start = np.where(where >= 0, run.offsets[where], 0)
    depth = np.where(where >= 0, run.counts[where], 0)
    depth = depth if k is None else np.minimum(depth, k)
    query = np.repeat(np.arange(len(where)), depth)
    first = np.cumsum(depth) - depth
    rank = np.arange(len(query)) - first[query] + 1
    known = np.zeros(len(query), bool)
    rows = judged.judged & (judged.rank <= depth[judged.query])
    known[first[judged.query[rows]] + judged.rank[rows] - 1] = True
    query, rank = query[~known], rank[~known]
    return query, run.documents[start[query] + rank - 1], rank


def _join(parts: list[Names]) -> Names:
    width = max(part.dtype.itemsize for part in parts)
    return np.concatenate([part.astype(f"S{width}") for part in parts])


def _pairs(query: Ints, document: Names) -> Ints:
    """Number the distinct pairs of query and document, in order of first appearance."""
    words = as_words(document)
    for seed in range(64):
        seeds = fingerprints(query.astype(np.uint64).reshape(-1, 1) + np.uint64(1), np.uint64(seed))
        _, first, pair = np.unique(
            fingerprints(words, seeds), return_index=True, return_inverse=True
        )
        same = (document == document[first[pair]]) & (query == query[first[pair]])
        if same.all():
            return pair.astype(np.int64)
    raise AssertionError("64 different fingerprints cannot all collide")


def first_relevant(side: Side | None, metric: Metric, size: int) -> Ints:
    """Return the rank of each query's first relevant document in the top k; ABSENT where none."""
    best = np.full(size, ABSENT, np.int64)
    if side is not None:
        judged = side.judged.at_level(metric.level)
        rows = judged.relevant & (judged.within(metric.k) > 0)
        np.minimum.at(best, judged.query[rows], judged.rank[rows])
    return best
