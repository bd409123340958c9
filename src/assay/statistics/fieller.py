"""Interval of the ratio of two means that were measured on the same queries."""

import math

import numpy as np

from assay.records import Floats, Interval, Ints
from assay.statistics._macro_mean import MacroMean
from assay.statistics._sample import sample

__all__ = ["fieller"]

ENOUGH = 20  # queries; with ten that score 0 or 1, 95% intervals held the ratio 79% to 94% of times
FEW = "fewer than 20 queries: the interval may be too narrow"


def fieller(
    above: Floats,
    below: Floats,
    *,
    level: float = 0.95,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> Interval | None:
    """Give all ratios r for which the mean of ``above`` - r ``below`` may be 0.

    Fieller (JRSS B 1954): they lie between the roots of a quadratic, unless the mean below may be
    0 itself: then the ratio has no bounds, and None is returned. Several collections: of their
    macro means, with the degrees of freedom of the mean above. Its note says where queries are few.
    """
    from scipy.special import stdtrit  # scipy only where a quantile is needed

    tops, bottoms = (sample(one, strata=strata, weights=weights)[:, 0] for one in (above, below))
    top, bottom = (MacroMean.of(one, strata, weights) for one in (tops, bottoms))
    if math.isinf(top.error) or math.isinf(bottom.error):
        return None
    reach = float(stdtrit(top.freedom, (1 + level) / 2))
    together = _variance(tops + bottoms, strata, weights)
    together -= _variance(tops - bottoms, strata, weights)
    square = bottom.mean**2 - reach**2 * bottom.error**2
    if square <= 0:
        return None
    half = top.mean * bottom.mean - reach**2 * together / 4
    rest = top.mean**2 - reach**2 * top.error**2
    root = math.sqrt(max(half**2 - square * rest, 0.0))
    note = "; ".join(one for one in (top.note, FEW if len(tops) < ENOUGH else "") if one)
    return Interval((half - root) / square, (half + root) / square, level, note)


def _variance(values: Floats, strata: Ints | None, weights: Floats | None) -> float:
    return float(np.square(MacroMean.of(values, strata, weights).error))
