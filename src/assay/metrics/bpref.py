"""Binary preference: how rarely a judged non-relevant document stands above a relevant one.

C. Buckley and E. Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004, as
trec_eval computes it.
"""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import spans
from assay.records import JudgedRankings, PerQuery, ratio

__all__ = ["bpref"]


@metric(cutoff="none")
def bpref(judged: JudgedRankings, k: None = None) -> PerQuery:
    """Average over the relevant documents the share of non-relevant ones not above them."""
    total = judged.total_relevant
    against = (judged.ideal_grade >= 0) & (judged.ideal_grade < judged.level)
    nonrelevant = np.bincount(judged.ideal_query[against], minlength=len(total))
    most = np.minimum(total, nonrelevant)
    sums = np.zeros(len(total))
    seen = np.zeros(len(total), np.int64)
    for span in spans(judged):
        relevant = int((span.grades >= judged.level).sum())
        # A later member of claimed items is no rival: nobody said that it is not relevant.
        rivals = span.leading & span.fresh & (span.grades >= 0) & (span.grades < judged.level)
        below = int(rivals.sum())
        # A relevant document stands behind any number of its tied rivals with equal chance.
        above = np.minimum(seen[span.query] + np.arange(below + 1), total[span.query])
        share = above.mean() / most[span.query] if most[span.query] else 0.0
        sums[span.query] += relevant * (1.0 - share)
        seen[span.query] += below
    return ratio(sums, total)
