"""Normalised discounted cumulative gain: reward good documents, early.

K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002, with
the discount and the linear gain of trec_eval.
"""

from assay.metrics._discount import discount
from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["ndcg"]


@metric(graded=True, levels=False)
def ndcg(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Divide the discounted gain of the top k by that of the ideal ranking."""
    got = judged.sum(judged.gain * judged.expect(discount, k))
    return ratio(got, judged.ideal_sum(lambda grade: grade, k))
