"""Judge next: the unjudged documents whose grades would move the comparison most."""

from collections.abc import Collection, Mapping

import numpy as np

from assay.records import Floats, Ints, Metric, ToJudge, ratio
from assay.verdicts._gain import discount, gained, ideal_table, known_counts, worth_of
from assay.verdicts._unjudged import ABSENT, UnjudgedDocuments, first_relevant, unjudged
from assay.verdicts.judged_run import JudgedRun

__all__ = ["judge_next"]

EXACT = {"hit", "mrr", "ndcg", "ndcg_exp", "precision", "rbp", "recall"}


def judge_next(
    baseline: JudgedRun,
    candidate: JudgedRun,
    metric: Metric,
    *,
    queries: Ints | None = None,
    most: int = 20,
    unknown: Collection[str] = (),
    weights: Mapping[str, float] | None = None,
) -> list[ToJudge]:
    """List the documents whose top grade would move their query's difference most.

    ``queries`` are the numbers of those that count (default: all); ``unknown`` documents cannot be
    judged. Metrics without a rule of their own are ordered by the discount of nDCG, and how far a
    grade moves them is left open. Of queries with ``weights`` the order is by the weighted move.
    """
    rows = unjudged(baseline, candidate, metric.k)
    moves = np.abs(_moves(baseline, candidate, metric, rows))
    if queries is not None:
        moves = np.where(np.isin(rows.query, queries), moves, 0.0)
    if unknown:
        moves = np.where([one.decode() in unknown for one in rows.document], 0.0, moves)
    shown = np.minimum(rows.candidate, rows.baseline)
    names, exact = candidate.judged.queries, metric.name in EXACT
    pull = moves
    if weights:
        pull = moves * np.array([weights.get(name, 1.0) for name in names])[rows.query]
    order = np.lexsort((rows.query, shown, -pull))[:most]
    return [
        ToJudge(
            names[rows.query[at]], rows.document[at].decode(), float(moves[at]) if exact else None
        )
        for at in order.tolist()
        if moves[at] > 0
    ]


def _moves(
    baseline: JudgedRun, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Floats:
    if metric.kind.levels and metric.threshold(candidate.judged.factor) > candidate.judged.scale:
        return np.zeros(len(rows.query))
    if metric.name in ("mrr", "hit"):
        return _first_moves(baseline, candidate, metric, rows)
    if metric.name in ("ndcg", "ndcg_exp"):
        return _ndcg_moves(baseline, candidate, metric, rows)
    if metric.name == "recall":
        return _recall_moves(baseline, candidate, metric, rows)
    return _weight(rows.candidate, metric) - _weight(rows.baseline, metric)


def _weight(rank: Ints, metric: Metric) -> Floats:
    """Return what a document adds to precision or RBP; nDCG's discount stands in for the rest."""
    shown = (rank != ABSENT).astype(np.float64)
    if metric.name == "precision":
        return np.asarray(shown / float(metric.k or 1), np.float64)
    if metric.name == "rbp":
        p = dict(metric.parameters)["p"]
        return np.asarray(shown * (1.0 - p) * np.power(p, np.minimum(rank, 1 << 20) - 1.0))
    return discount(rank)


def _ndcg_moves(
    baseline: JudgedRun, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Floats:
    """Give one document the top grade: it adds to the gain, and to the best possible gain."""
    judged, at = candidate.judged, rows.query
    worth, size = worth_of(metric), len(judged.queries)
    grades = worth(np.arange(judged.scale + 1.0))
    ideal = np.tensordot(np.diff(grades), ideal_table(known_counts(judged), 2, metric.k), axes=1)
    base = gained(candidate, metric, worth, size) - gained(baseline, metric, worth, size)
    share = discount(rows.candidate) - discount(rows.baseline)
    then = (base[at] + grades[-1] * share) / ideal[at, 1]
    return np.asarray(then - ratio(base, ideal[:, 0])[at], np.float64)


def _recall_moves(
    baseline: JudgedRun, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Floats:
    level = metric.threshold(candidate.judged.factor)
    total = candidate.judged.at_level(level).total_relevant
    now = metric.score(candidate.judged) - metric.score(baseline.judged)
    share = (rows.candidate != ABSENT).astype(np.float64) - (rows.baseline != ABSENT)
    at = rows.query
    return np.asarray((now[at] * total[at] + share) / (total[at] + 1.0) - now[at], np.float64)


def _first_moves(
    baseline: JudgedRun, candidate: JudgedRun, metric: Metric, rows: UnjudgedDocuments
) -> Floats:
    size = len(candidate.judged.queries)
    moves = np.zeros(len(rows.query))
    for side, rank, sign in ((candidate, rows.candidate, 1.0), (baseline, rows.baseline, -1.0)):
        now = first_relevant(side, metric, size)[rows.query]
        then = np.minimum(now, rank)
        moves += sign * (_worth(then, metric) - _worth(now, metric))
    return moves


def _worth(rank: Ints, metric: Metric) -> Floats:
    return np.where(rank == ABSENT, 0.0, 1.0 / rank if metric.name == "mrr" else 1.0)
