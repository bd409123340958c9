"""Binary preference: how rarely a judged non-relevant document stands above a relevant one.

C. Buckley and E. Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004, as
trec_eval computes it.
"""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import Span, spans
from assay.records import Bools, JudgedRankings, PerQuery, ratio

__all__ = ["bpref"]


@metric(cutoff="none")
def bpref(judged: JudgedRankings, k: None = None) -> PerQuery:
    """Average over relevant documents the fraction of judged non-relevant ones not above them."""
    total = judged.total_relevant
    against = (judged.ideal_grade >= 0) & (judged.ideal_grade < judged.level)
    nonrelevant = np.bincount(judged.ideal_query[against], minlength=len(total))
    most = np.minimum(total, nonrelevant)
    if judged.tied:
        return ratio(_expected(judged, most), total)
    above = np.minimum(judged.above(_rivals(judged, judged.level)), total[judged.query])
    share = np.divide(above, most[judged.query], out=np.zeros(len(above)), where=above > 0)
    return ratio(judged.sum(judged.relevant * (1.0 - share)), total)


def _rivals(rows: JudgedRankings | Span, level: int) -> Bools:
    """Mark the documents judged not relevant; a later member of claimed items is none of them."""
    return rows.leading & rows.fresh & (rows.grade >= 0) & (rows.grade < level)


def _expected(judged: JudgedRankings, most: PerQuery) -> PerQuery:
    """Let a relevant document stand behind any number of its tied rivals with equal chance."""
    sums, seen = np.zeros(len(most)), np.zeros(len(most), np.int64)
    for span in spans(judged):
        relevant = int((span.grade >= judged.level).sum())
        below = int(_rivals(span, judged.level).sum())
        above = np.minimum(
            seen[span.query] + np.arange(below + 1), judged.total_relevant[span.query]
        )
        share = above.mean() / most[span.query] if most[span.query] else 0.0
        sums[span.query] += relevant * (1.0 - share)
        seen[span.query] += below
    return sums
