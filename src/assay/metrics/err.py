"""Expected reciprocal rank: a reader stops at the first document that satisfies.

O. Chapelle et al., "Expected reciprocal rank for graded relevance", CIKM 2009.
"""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import Span, mean_products, spans
from assay.records import Floats, JudgedRankings, PerQuery

__all__ = ["err"]


@metric(graded=True, levels=False, ideal=False)
def err(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Sum 1 / rank times the probability that the user stops at that rank."""
    if judged.tied:
        return _expected(judged, k)
    stops = _stop(judged.gain, judged.scale)
    going_on = np.exp(judged.above(np.log1p(-stops)))
    return judged.sum(judged.within(k) * stops * going_on / judged.rank)


def _stop(gain: Floats, scale: int) -> Floats:
    """Return the chance that a document satisfies; never 1, which long scales would round it to."""
    chance = (np.exp2(gain) - 1.0) / 2.0**scale
    return np.minimum(chance, np.nextafter(1.0, 0.0))


def _expected(judged: JudgedRankings, k: int | None) -> PerQuery:
    scores, going_on = np.zeros(len(judged.queries)), np.ones(len(judged.queries))
    for span in spans(judged):
        stops = _stop(span.gain[span.gain > 0], judged.scale)
        reward = np.where(span.ranks <= (k or np.inf), 1.0 / span.ranks, 0.0)
        scores[span.query] += going_on[span.query] * (_stopping(span, stops) @ reward)
        going_on[span.query] *= np.prod(1.0 - stops)
    return scores


def _stopping(span: Span, stops: Floats) -> Floats:
    """Return the chance of a stop at each place of a span, averaged over its orders."""
    total = np.zeros(span.size)
    worthless = span.size - len(stops)
    for stop in np.unique(stops):
        number = int((stops == stop).sum())
        others = np.delete(stops, int((stops == stop).argmax()))
        total += number * stop / span.size * mean_products(1.0 - others, worthless)
    return total
