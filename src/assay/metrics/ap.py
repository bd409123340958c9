"""Average precision: precision at each relevant document, averaged; its mean is MAP."""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import spans
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["ap"]


@metric(ideal=False)
def ap(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Sum the precision at each relevant document in the top k; divide by all relevant ones."""
    if judged.tied:
        return ratio(_expected(judged, k), judged.total_relevant)
    precision = (judged.above(judged.relevant & judged.leading) + 1) / judged.rank
    return ratio(judged.sum(judged.relevant * judged.within(k) * precision), judged.total_relevant)


def _expected(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Sum over tied places; above each lies its share of the span's other relevant documents."""
    sums, seen = np.zeros(len(judged.queries)), np.zeros(len(judged.queries))
    for span in spans(judged):
        relevant = int((span.grade >= judged.level).sum())
        others_above = (span.ranks - span.first) * (relevant - 1) / max(span.size - 1, 1)
        precisions = (seen[span.query] + 1 + others_above) / span.ranks
        shown = span.ranks <= (k or np.inf)
        sums[span.query] += relevant / span.size * precisions[shown].sum()
        seen[span.query] += relevant
    return sums
