"""The gain of nDCG, of the documents that a run shows and of the best ranking there could be."""

from collections.abc import Callable

import numpy as np

from assay.records import Floats, Ints, JudgedRankings, Metric, PerQuery
from assay.verdicts._unjudged import ABSENT
from assay.verdicts.judged_run import JudgedRun

__all__ = ["discount", "gained", "ideal_table", "known_counts", "worth_of"]

Worth = Callable[[Floats], Floats]


def worth_of(metric: Metric) -> Worth:
    """Return how nDCG values a grade."""
    return _exponential if metric.name == "ndcg_exp" else _itself


def _itself(grade: Floats) -> Floats:
    return grade


def _exponential(grade: Floats) -> Floats:
    return np.exp2(grade) - 1.0


def discount(rank: Ints) -> Floats:
    """Weigh ranks; what is not shown weighs nothing."""
    return np.where(rank == ABSENT, 0.0, 1.0 / np.log2(np.minimum(rank, 1 << 30) + 1.0))


def gained(side: JudgedRun | None, metric: Metric, worth: Worth, size: int) -> PerQuery:
    """Return the discounted gain of a run's top k; 0 without a run."""
    if side is None:
        return np.zeros(size)
    judged = side.judged
    return judged.sum(worth(judged.gain) * judged.expect(lambda r: 1 / np.log2(r + 1), metric.k))


def known_counts(judged: JudgedRankings) -> Floats:
    """Count, for each grade above 0 and each query, the items with that grade or more."""
    return np.stack([judged.at_level(t).total_relevant for t in range(1, judged.scale + 1)])


def ideal_table(known: Floats, width: int, k: int | None) -> Floats:
    """Return D(known at grade t + m) for each grade, query and m."""
    count: Floats = known[:, :, None] + np.arange(width)
    most = int(count.max(initial=0)) if k is None else min(k, int(count.max(initial=0)))
    running: Floats = np.concatenate(([0.0], np.cumsum(1.0 / np.log2(np.arange(most) + 2.0))))
    ideal: Floats = running[np.minimum(count, most).astype(int)]
    return ideal
