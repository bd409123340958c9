"""Precision: how much of what was shown is worth reading."""

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery

__all__ = ["precision"]


@metric(cutoff="required", ideal=False)
def precision(judged: JudgedRankings, k: int) -> PerQuery:
    """Divide the number of relevant documents in the top k by k."""
    return judged.sum(judged.relevant * judged.leading * judged.within(k)) / k
