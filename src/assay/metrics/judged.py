"""Judged: how much of what was shown has a judgment at all."""

import numpy as np

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["judged"]


@metric(levels=False, measures="judgments")
def judged(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Divide the judged documents in the top k by k, or by the number returned if it is lower."""
    shown = judged.retrieved if k is None else np.minimum(judged.retrieved, k)
    return ratio(judged.sum(judged.judged * judged.within(k)), shown.astype(np.float64))
