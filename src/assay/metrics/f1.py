"""F1: the harmonic mean of precision and recall."""

from assay.metrics._shape import metric
from assay.metrics.precision import precision
from assay.metrics.recall import recall
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["f1"]


@metric(cutoff="required", ideal=False)
def f1(judged: JudgedRankings, k: int) -> PerQuery:
    """Compute the harmonic mean of precision and recall in the top k."""
    exact, complete = precision(judged, k), recall(judged, k)
    return ratio(2 * exact * complete, exact + complete)
