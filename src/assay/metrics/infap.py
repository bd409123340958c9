"""Inferred average precision: AP estimated from a pool of which only a sample was judged.

E. Yilmaz and J. Aslam, "Estimating average precision with incomplete and imperfect judgments",
CIKM 2006, as trec_eval computes it (documents outside of the pool count as not relevant).
"""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import Span, spans
from assay.records import Floats, JudgedRankings, PerQuery, ratio

__all__ = ["infap"]

EPSILON = 0.00001


@metric(cutoff="none", ideal=False)
def infap(judged: JudgedRankings, k: None = None) -> PerQuery:
    """Estimate average precision from a sample of judgments."""
    if judged.tied:
        return ratio(_expected(judged), judged.total_relevant)
    grade, leading = judged.grade, judged.leading
    relevant = judged.above(leading & (grade >= judged.level))
    other = judged.above(leading & (grade >= 0) & (grade < judged.level))
    pooled = judged.above(leading & (grade < 0))
    precision = _inferred(relevant, other, pooled) / judged.rank
    return ratio(judged.sum(judged.relevant * precision), judged.total_relevant)


def _inferred(relevant: Floats, other: Floats, pooled: Floats) -> Floats:
    """Return rank times precision, from what stands above a relevant document."""
    share = (relevant + EPSILON) / (relevant + other + 2 * EPSILON)
    return 1.0 + (relevant + other + pooled) * share


def _expected(judged: JudgedRankings) -> PerQuery:
    sums = np.zeros(len(judged.queries))
    seen = np.zeros((len(judged.queries), 3))
    for span in spans(judged):
        kinds = _kinds(span, judged.level)
        items = int((span.grade >= judged.level).sum())
        sums[span.query] += items * _precision(span, kinds, seen[span.query])
        seen[span.query] += kinds
    return sums


def _kinds(span: Span, level: int) -> Floats:
    """Count relevant, non-relevant and pooled but unjudged documents."""
    grades = span.grade[span.leading]
    counts = ((grades >= level).sum(), ((grades >= 0) & (grades < level)).sum(), (grades < 0).sum())
    return np.array(counts, np.float64)


def _precision(span: Span, kinds: Floats, seen: Floats) -> float:
    """Return the precision expected at a relevant document, wherever in the span it stands."""
    relevant, nonrelevant, pooled = kinds
    if not relevant:
        return 0.0
    rest = span.size - relevant - nonrelevant
    total = 0.0
    for place in range(span.size):
        chance, a, b = _above(int(relevant) - 1, int(nonrelevant), int(rest), place)
        c = seen[2] + (place - a - b) * (pooled / rest if rest else 0.0)
        precision = _inferred(a + seen[0], b + seen[1], c)
        total += float((chance * precision).sum()) / (span.first + place)
    return total / span.size


def _above(relevant: int, nonrelevant: int, rest: int, drawn: int) -> tuple[Floats, Floats, Floats]:
    """Return the chance of each mix of documents above one place of a span."""
    a, b = np.meshgrid(np.arange(relevant + 1.0), np.arange(nonrelevant + 1.0), indexing="ij")
    c = drawn - a - b
    fits = (c >= 0) & (c <= rest)
    a, b, c = a[fits], b[fits], c[fits]
    logs = np.concatenate(
        ([0.0], np.cumsum(np.log(np.arange(1, relevant + nonrelevant + rest + 2))))
    )

    def choose(n: int, k: Floats) -> Floats:
        return logs[n] - logs[k.astype(int)] - logs[n - k.astype(int)]  # type: ignore[no-any-return]

    ways = choose(relevant, a) + choose(nonrelevant, b) + choose(rest, c)
    return np.exp(ways - choose(relevant + nonrelevant + rest, np.array(float(drawn)))), a, b
