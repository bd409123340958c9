"""Rank-biased overlap: how alike two rankings are, the top weighing most.

W. Webber, A. Moffat and J. Zobel, "A similarity measure for indefinite rankings", TOIS 2010: the
extrapolated form (equation 32), which holds for lists of different lengths.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from assay.metrics.between._common import common
from assay.records import Ints, PerQuery, Rankings

__all__ = ["rbo"]

NEGLIGIBLE = 1e-12  # what the ranks beyond the depth could still weigh


def rbo(
    left: Rankings, right: Rankings, p: float = 0.9, *, queries: Sequence[str] | None = None
) -> PerQuery:
    """Weight the agreement at each depth d by p^d; two empty rankings agree, one alone does not."""
    depth = math.ceil(math.log(NEGLIGIBLE) / math.log(p)) if p > 0 else 1
    shared = common(left, right, depth, queries)
    deeper = np.maximum(shared.left, shared.right)
    order = np.argsort(shared.query, kind="stable")
    edges = np.searchsorted(shared.query[order], np.arange(len(shared.queries) + 1))
    scores = np.empty(len(shared.queries))
    for query, (low, high) in enumerate(pairwise(edges.tolist())):
        shown = sorted((int(shared.left_shown[query]), int(shared.right_shown[query])))
        scores[query] = _extrapolated(deeper[order[low:high]], shown[0], shown[1], p)
    return scores


def _extrapolated(found_at: Ints, short: int, long: int, p: float) -> float:
    """Sum over depths; below the shorter list its agreement is assumed to continue."""
    if not short:
        return 1.0 if not long else 0.0
    depth = np.arange(1, long + 1)
    found = np.cumsum(np.bincount(found_at, minlength=long + 1)[1:])
    at_short, at_long = found[short - 1], found[long - 1]
    weight = np.power(p, depth - 1.0) * (1 - p)
    beyond = np.maximum(depth - short, 0)
    seen = float((found / depth) @ weight + (at_short * beyond / (short * depth)) @ weight)
    return seen + float((at_long - at_short) / long + at_short / short) * p**long
