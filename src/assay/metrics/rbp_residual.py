"""Residual of rank-biased precision: how much the unjudged documents could still add.

A. Moffat and J. Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS
2008.
"""

import numpy as np

from assay.metrics._shape import metric
from assay.records import JudgedRankings, PerQuery

__all__ = ["rbp_residual"]


@metric(
    ideal=False,
    measures="judgments",
    higher_is_better=False,
    parameters={"p": 0.8},
    shown=("p",),
)
def rbp_residual(judged: JudgedRankings, k: int | None, p: float) -> PerQuery:
    """Return the RBP weight of all ranks, to infinity, without a judged document."""
    seen = judged.expect(lambda rank: np.power(p, rank - 1.0), k)
    return 1.0 - (1.0 - p) * judged.sum(judged.judged * seen)
