"""nDCG with exponential gain: a highly relevant document outweighs several marginal ones.

C. Burges et al., "Learning to rank using gradient descent", ICML 2005.
"""

import numpy as np

from assay.metrics._discount import discount
from assay.metrics._shape import metric
from assay.records import Floats, JudgedRankings, PerQuery, ratio

__all__ = ["ndcg_exp"]


@metric(graded=True, levels=False)
def ndcg_exp(judged: JudgedRankings, k: int | None) -> PerQuery:
    """Compute nDCG with the exponential gain 2^grade - 1."""
    got = judged.sum(_gain(judged.gain) * judged.expect(discount, k))
    return ratio(got, judged.ideal_sum(_gain, k))


def _gain(grade: Floats) -> Floats:
    return np.exp2(grade) - 1.0
