"""Reciprocal rank: how soon the first relevant document appears; its mean is MRR."""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import mean_products, spans
from assay.records import JudgedRankings, PerQuery

__all__ = ["mrr"]


@metric()
def mrr(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Return 1 / rank of the first relevant document, or 0 if none is in the top k."""
    if judged.tied:
        return _expected(judged, k)
    best = np.zeros(len(judged.queries))
    shown = judged.relevant & (judged.within(k) > 0)
    np.maximum.at(best, judged.query[shown], 1.0 / judged.rank[shown])
    return best


def _expected(judged: JudgedRankings, k: int | None) -> PerQuery:
    scores = np.zeros(len(judged.queries))
    found = np.zeros(len(judged.queries), bool)
    for span in spans(judged):
        relevant = int((span.grade >= judged.level).sum())
        if found[span.query] or not relevant:
            continue
        found[span.query] = True
        none_above = mean_products(np.zeros(relevant - 1), span.size - relevant)
        chance = none_above * relevant / span.size
        reward = np.where(span.ranks <= (k or np.inf), 1.0 / span.ranks, 0.0)
        scores[span.query] = chance @ reward
    return scores
