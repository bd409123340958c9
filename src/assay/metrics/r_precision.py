"""R-precision: precision at the number of relevant documents."""

import numpy as np

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["r_precision"]


@metric(cutoff="none")
def r_precision(judged: JudgedRankings, k: None = None) -> PerQuery:
    """Return the precision at R, the number of relevant documents."""
    total = judged.total_relevant
    room = (total[judged.query] + 1 - judged.first) / (judged.last + 1 - judged.first)
    shown = np.clip(room, 0.0, 1.0)
    return ratio(judged.sum(judged.relevant * judged.leading * shown), total)
