"""Rank-biased precision: a reader goes on to the next document with probability p.

A. Moffat and J. Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS
2008.
"""

import numpy as np

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery

__all__ = ["rbp"]


@metric(ideal=False, parameters={"p": 0.8}, shown=("p",))
def rbp(judged: JudgedRankings, k: int | None, p: float) -> PerQuery:
    """Weight each relevant document by the probability that a user reaches its rank."""
    seen = judged.expect(lambda rank: np.power(p, rank - 1.0), k)
    return (1.0 - p) * judged.sum(judged.relevant * judged.leading * seen)
