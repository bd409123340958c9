"""Precision: how much of what was shown is worth reading."""

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery

__all__ = ["precision"]


@metric(cutoff="required", ideal=False)
def precision(judged: JudgedRankings, k: int) -> PerQuery:
    """Count the relevant documents in the top k and divide by k."""
    return judged.sum(judged.relevant * judged.leading * judged.within(k)) / k
