"""Recall: of everything relevant, how much was shown."""

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["recall"]


@metric(ideal=False)
def recall(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Divide the number of relevant items in the top k by all relevant items."""
    return ratio(judged.sum(judged.relevant * judged.within(k)), judged.total_relevant)
