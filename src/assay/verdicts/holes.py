"""Holes: what the difference of two runs could be, whatever the unjudged documents are worth.

For each query the smallest and the largest difference over every grading of the unjudged documents
in the top k of either run. Queries are independent, so the mean of the ends is exact too.
"""

from collections.abc import Callable

import numpy as np

from assay.records import Floats, Ints, Metric, PerQuery
from assay.verdicts._gain import discount, gained, ideal_table, known_counts, worth_of
from assay.verdicts._unjudged import ABSENT, UnjudgedDocuments, first_relevant, unjudged
from assay.verdicts.judged_run import JudgedRun

__all__ = ["holes"]

Ends = tuple[PerQuery, PerQuery]
CELLS = 4_000_000  # of the widest table that is held at once


def holes(baseline: JudgedRun | None, candidate: JudgedRun, metric: Metric) -> Ends | None:
    """Return the ends of candidate minus baseline per query; None where none are known exactly.

    Without a baseline the ends are those of the candidate's own score.
    """
    bound = _BOUNDS.get(metric.name)
    if (
        bound is None
        or metric.tokens is not None
        or candidate.judged.tied
        or (baseline is not None and baseline.judged.tied)
    ):
        return None
    return bound(baseline, candidate, metric, unjudged(baseline, candidate, metric.k))


def _linear(
    baseline: JudgedRun | None, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Ends:
    """Precision and RBP: each document adds its own share: take all that help, or hurt."""
    known = metric.score(candidate.judged) - (metric.score(baseline.judged) if baseline else 0.0)
    if metric.threshold(candidate.judged.factor) > candidate.judged.scale:
        return known, known
    share = _share(metric, rows.candidate) - _share(metric, rows.baseline)
    return (
        known + _sum(rows.query, np.minimum(share, 0.0), len(known)),
        known + _sum(rows.query, np.maximum(share, 0.0), len(known)),
    )


def _share(metric: Metric, rank: Ints) -> Floats:
    """Return what a relevant document at a rank adds."""
    shown = _is_shown(rank)
    if metric.name == "precision":
        return shown / float(metric.k or 1)
    p = dict(metric.parameters)["p"]
    chance: Floats = np.power(p, np.minimum(rank, 1 << 20) - 1.0)
    return shown * (1.0 - p) * chance


def _first(
    baseline: JudgedRun | None, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Ends:
    """Reciprocal rank and hit: one relevant document is enough for an extreme, or none at all."""
    size = len(candidate.judged.queries)
    ours, theirs = (first_relevant(side, metric, size) for side in (candidate, baseline))
    worth = _reciprocal if metric.name == "mrr" else _is_shown
    known = worth(ours) - worth(theirs)
    low, high = known.copy(), known.copy()
    if metric.threshold(candidate.judged.factor) <= candidate.judged.scale:
        at = rows.query
        moved = worth(np.minimum(ours[at], rows.candidate))
        moved = moved - worth(np.minimum(theirs[at], rows.baseline))
        np.minimum.at(low, at, moved)
        np.maximum.at(high, at, moved)
    return low, high


def _reciprocal(rank: Ints) -> Floats:
    return np.where(rank == ABSENT, 0.0, 1.0 / rank)


def _is_shown(rank: Ints) -> Floats:
    return np.where(rank == ABSENT, 0.0, 1.0)


def _recall(
    baseline: JudgedRun | None, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Ends:
    """Recall: new relevant documents raise the denominator too; try each number of them."""
    judged = candidate.judged.at_level(metric.threshold(candidate.judged.factor))
    total = judged.total_relevant
    found = metric.score(candidate.judged) * total
    if baseline is not None:
        found = found - metric.score(baseline.judged) * total
    share = (rows.candidate != ABSENT).astype(float) - (rows.baseline != ABSENT)
    if metric.threshold(candidate.judged.factor) > candidate.judged.scale:
        rows, share = _none(rows), share[:0]
    high = _best_share(rows.query, share, found, total)
    return -_best_share(rows.query, -share, -found, total), high


def _best_share(query: Ints, share: Floats, found: Floats, total: Floats) -> PerQuery:
    """Maximise (found + what the n best add) / (total + n) over n, query by query."""
    best = np.divide(found, total, out=np.zeros(len(found)), where=total > 0)
    order = np.lexsort((-share, query))
    query, share = query[order], share[order]
    start = np.searchsorted(query, query)
    number = np.arange(len(query)) - start + 1
    running = np.concatenate(([0.0], np.cumsum(share)))
    added = running[1:] - running[start]
    np.maximum.at(best, query, (found[query] + added) / (total[query] + number))
    return best


def _ndcg(
    baseline: JudgedRun | None, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Ends:
    """nDCG: the ideal grows with the grades, so a ratio of two sums is maximised exactly."""
    judged = candidate.judged
    worth, size = worth_of(metric), len(judged.queries)
    steps = np.diff(worth(np.arange(judged.scale + 1.0)))
    base = gained(candidate, metric, worth, size) - gained(baseline, metric, worth, size)
    share = discount(rows.candidate) - discount(rows.baseline)
    known = known_counts(judged)
    high = _best_ratio(rows.query, share, base, known, steps, metric.k)
    return -_best_ratio(rows.query, -share, -base, known, steps, metric.k), high


def _best_ratio(
    query: Ints, share: Floats, base: Floats, known: Floats, steps: Floats, k: int | None
) -> PerQuery:
    """Cut the queries into pieces that fit in memory and maximise each."""
    counts = np.bincount(query, minlength=len(base))
    order = np.lexsort((-share, query))
    query, share = query[order], share[order]
    place = np.arange(len(query)) - (np.cumsum(counts) - counts)[query]
    result = np.zeros(len(base))
    by_size = np.argsort(counts, kind="stable")
    at = 0
    while at < len(by_size):
        piece = _piece(by_size, counts, at)
        table = np.full((len(piece), int(counts[piece].max()) + 1), -np.inf)
        table[:, 0] = 0.0
        row_of = np.full(len(base), -1)
        row_of[piece] = np.arange(len(piece))
        mine = row_of[query] >= 0
        table[row_of[query[mine]], place[mine] + 1] = share[mine]
        result[piece] = _dinkelbach(table.cumsum(axis=1), base[piece], known[:, piece], steps, k)
        at += len(piece)
    return result


def _piece(by_size: Ints, counts: Ints, at: int) -> Ints:
    """Take as many queries of similar size as fit."""
    end = at + 1
    while end < len(by_size) and (end + 1 - at) * (counts[by_size[end]] + 1) <= CELLS:
        end += 1
    return by_size[at:end]


def _dinkelbach(
    added: Floats, base: Floats, known: Floats, steps: Floats, k: int | None
) -> PerQuery:
    """Maximise discounted gain over ideal gain by Dinkelbach's method (Management Science, 1967).

    ``added[q, m]`` is what the m best documents add per step of gain. An ideal ranking's gain is a
    sum over grades t of D(documents with grade t or more), so for a trial ratio the best numbers
    m_1 >= m_2 >= ... are found grade by grade with a running maximum.
    """
    queries, width = added.shape
    ideal = ideal_table(known, width, k)
    nothing_known = known[0] == 0
    ratio = np.full(queries, -np.inf)
    known_ideal = (steps[:, None] * ideal[:, :, 0]).sum(axis=0)
    ratio[~nothing_known] = base[~nothing_known] / known_ideal[~nothing_known]
    has_hole = np.isfinite(added[:, 1]) if width > 1 else np.zeros(queries, bool)
    open_ = nothing_known & has_hole
    if width > 1:
        ratio[open_] = added[open_, 1] / ideal[0, open_, 1]
    active = np.flatnonzero(~nothing_known | open_)
    while len(active):
        top, bottom = _best_grading(
            added[active], ideal[:, active], steps, ratio[active], nothing_known[active]
        )
        better = (base[active] + top) / bottom
        gained = better > ratio[active] + 1e-15
        active = active[gained]
        ratio[active] = better[gained]
    return np.where(nothing_known, np.maximum(ratio, 0.0), ratio)


def _best_grading(
    added: Floats, ideal: Floats, steps: Floats, ratio: Floats, nothing_known: Floats
) -> tuple[Floats, Floats]:
    """For a trial ratio, return the gain and the ideal gain of the best grading."""
    shape = added.shape
    top, bottom = np.zeros(shape), np.zeros(shape)
    for grade in reversed(range(len(steps))):
        top = top + steps[grade] * added
        bottom = bottom + steps[grade] * ideal[grade]
        if grade:
            at = _running_best(top - ratio[:, None] * bottom)
            top = np.take_along_axis(top, at, axis=1)
            bottom = np.take_along_axis(bottom, at, axis=1)
    worth = top - ratio[:, None] * bottom
    worth[nothing_known, 0] = -np.inf
    at = worth.argmax(axis=1)
    rows = np.arange(shape[0])
    return top[rows, at], bottom[rows, at]


def _running_best(worth: Floats) -> Ints:
    """Return for each m the place of the largest worth up to m."""
    best = np.maximum.accumulate(worth, axis=1)
    places = np.where(worth == best, np.arange(worth.shape[1]), 0)
    return np.maximum.accumulate(places, axis=1)


def _none(rows: UnjudgedDocuments) -> UnjudgedDocuments:
    return UnjudgedDocuments(
        rows.query[:0], rows.document[:0], rows.candidate[:0], rows.baseline[:0]
    )


def _sum(query: Ints, values: Floats, size: int) -> PerQuery:
    return np.bincount(query, values, minlength=size).astype(np.float64)


_BOUNDS: dict[str, Callable[[JudgedRun | None, JudgedRun, Metric, UnjudgedDocuments], Ends]] = {
    "hit": _first,
    "mrr": _first,
    "ndcg": _ndcg,
    "ndcg_exp": _ndcg,
    "precision": _linear,
    "rbp": _linear,
    "recall": _recall,
}
