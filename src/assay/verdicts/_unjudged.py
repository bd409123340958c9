"""The unjudged documents that two runs show, with their ranks in both."""

from dataclasses import dataclass

import numpy as np

from assay.records import Ints, Metric, Names, join
from assay.verdicts.judged_run import JudgedRun

__all__ = ["ABSENT", "UnjudgedDocuments", "first_relevant", "unjudged"]

ABSENT = 2**31 - 1  # a rank that no document has


@dataclass(frozen=True, slots=True, eq=False)
class UnjudgedDocuments:
    """A row per query and unjudged document in the top k of either run; ABSENT where not shown."""

    query: Ints
    document: Names
    candidate: Ints
    baseline: Ints


def unjudged(baseline: JudgedRun | None, candidate: JudgedRun, k: int | None) -> UnjudgedDocuments:
    """Find the documents of both runs' top k that nobody judged."""
    query, document, ours = _shown(candidate, k)
    if baseline is None:
        return UnjudgedDocuments(query, document, ours, np.full(len(ours), ABSENT))
    theirs = _ranks(baseline, query, document, k)
    other, more, rank = _shown(baseline, k)
    new = _ranks(candidate, other, more, k) == ABSENT
    query, document = np.concatenate((query, other[new])), join([document, more[new]])
    ours = np.concatenate((ours, np.full(int(new.sum()), ABSENT)))
    theirs = np.concatenate((theirs, rank[new]))
    order = np.argsort(query, kind="stable")
    return UnjudgedDocuments(query[order], document[order], ours[order], theirs[order])


def _shown(side: JudgedRun, k: int | None) -> tuple[Ints, Names, Ints]:
    """List query, document and rank of the unjudged rows in the top k."""
    run, judged = side.rankings, side.judged
    where = run.numbers(judged.queries)
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


def _ranks(side: JudgedRun, query: Ints, document: Names, k: int | None) -> Ints:
    """Return the rank of each document in a side's top k, ABSENT where it is not shown."""
    run = side.rankings
    rank = run.ranks(run.numbers(side.judged.queries)[query], document)
    return np.where((rank > 0) & (rank <= (k or ABSENT)), rank, ABSENT)


def first_relevant(side: JudgedRun | None, metric: Metric, size: int) -> Ints:
    """Return the rank of each query's first relevant document in the top k; ABSENT where none."""
    best = np.full(size, ABSENT, np.int64)
    if side is not None:
        judged = side.judged.at_level(metric.threshold(side.judged.factor))
        rows = judged.relevant & (judged.within(metric.k) > 0)
        np.minimum.at(best, judged.query[rows], judged.rank[rows])
    return best
