"""Recall: of everything relevant, how much was shown."""

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["recall"]


@metric(ideal=False)
def recall(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Count the relevant items in the top k and divide by all relevant ones."""
    return ratio(judged.sum(judged.relevant * judged.within(k)), judged.total_relevant)
