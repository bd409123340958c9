"""Hit: did the reader meet anything relevant at all."""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import mean_products, spans
from assay.records import JudgedRankings, PerQuery

__all__ = ["hit"]


@metric()
def hit(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Return 1 if the top k contain a relevant document, else 0."""
    if judged.tied and k is not None:
        return _expected(judged, k)
    return np.minimum(judged.sum(judged.relevant * judged.within(k)), 1.0)


def _expected(judged: JudgedRankings, k: int) -> PerQuery:
    missed = np.ones(len(judged.queries))
    for span in spans(judged):
        shown = min(max(k + 1 - span.first, 0), span.size)
        relevant = int((span.grade >= judged.level).sum())
        missed[span.query] *= mean_products(np.zeros(relevant), span.size - relevant)[shown]
    return 1.0 - missed
