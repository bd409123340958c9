"""Judge next: the unjudged documents whose grades would move the comparison most."""

import numpy as np

from assay.records import Floats, Ints, Metric
from assay.verdicts._unjudged import ABSENT, Unjudged, first_relevant, unjudged
from assay.verdicts.side import Side

__all__ = ["judge_next"]


def judge_next(
    baseline: Side, candidate: Side, metric: Metric, *, most: int = 20
) -> list[tuple[str, str, float]]:
    """List query, document and how far the top grade would move that query's difference."""
    rows = unjudged(baseline, candidate, metric.k)
    moves = np.abs(_moves(baseline, candidate, metric, rows))
    shown = np.minimum(rows.candidate, rows.baseline)
    order = np.lexsort((rows.query, shown, -moves))[:most]
    queries = candidate.judged.queries
    return [
        (queries[rows.query[at]], rows.document[at].decode(), float(moves[at]))
        for at in order.tolist()
        if moves[at] > 0
    ]


def _moves(baseline: Side, candidate: Side, metric: Metric, rows: Unjudged) -> Floats:
    if metric.name in ("mrr", "hit"):
        return _first_moves(baseline, candidate, metric, rows)
    judged = candidate.judged
    weight = _weight(rows.candidate, metric) - _weight(rows.baseline, metric)
    if not metric.name.startswith("ndcg"):
        return weight
    top = float(judged.scale if metric.name == "ndcg" else 2**judged.scale - 1)
    ideal = judged.ideal_sum(
        lambda grade: grade if metric.name == "ndcg" else np.exp2(grade) - 1, metric.k
    )
    return weight * top / (ideal[rows.query] + top)


def _weight(rank: Ints, metric: Metric) -> Floats:
    """Weigh ranks by the discount of nDCG, by p^rank for RBP, and alike for set metrics."""
    depth = np.minimum(rank, 1 << 20).astype(np.float64)
    if metric.name in ("precision", "recall", "f1"):
        weight = np.ones(len(rank))
    elif metric.name == "rbp":
        weight = np.power(dict(metric.parameters)["p"], depth - 1)
    else:
        weight = 1.0 / np.log2(depth + 1)
    return np.where(rank == ABSENT, 0.0, weight)


def _first_moves(baseline: Side, candidate: Side, metric: Metric, rows: Unjudged) -> Floats:
    size = len(candidate.judged.queries)
    moves = np.zeros(len(rows.query))
    for side, rank, sign in ((candidate, rows.candidate, 1.0), (baseline, rows.baseline, -1.0)):
        now = first_relevant(side, metric, size)[rows.query]
        then = np.minimum(now, rank)
        moves += sign * (_worth(then, metric) - _worth(now, metric))
    return moves


def _worth(rank: Ints, metric: Metric) -> Floats:
    return np.where(rank == ABSENT, 0.0, 1.0 / rank if metric.name == "mrr" else 1.0)
