"""Correlation of two figures over queries, with its interval and p."""

import math
import sys

import numpy as np

from assay.errors import UsageError
from assay.records import Correlation, Floats, Interval
from assay.statistics._sample import sample

__all__ = ["correlation"]

FEWEST = 4  # pairs that an interval takes: its error divides by n - 3
EQUAL = 1e-12  # what rounding alone can do to values that are all alike


def correlation(
    first: Floats, second: Floats, *, ranks: bool = False, level: float = 0.95
) -> Correlation:
    """Correlate values (Pearson) or their ``ranks`` (Spearman); nothing where a side is constant.

    The interval is Fisher's (Metron 1921), for ranks with the error of Bonett and Wright
    (Psychometrika 2000): (1 + r^2 / 2) / (n - 3). p is of Student's t with n - 2 degrees.
    """
    pairs = _pairs(first, second)
    if pairs is None or len(pairs) < FEWEST or (np.ptp(pairs, axis=0) <= EQUAL).any():
        return Correlation(None, None, None)
    columns = np.apply_along_axis(_ranked, 0, pairs) if ranks else pairs
    centred = columns - columns.mean(axis=0)
    lengths = np.sqrt((centred**2).sum(axis=0))
    r = float(np.clip(centred[:, 0] / lengths[0] @ (centred[:, 1] / lengths[1]), -1, 1))
    return Correlation(r, _interval(r, len(pairs), level, ranks=ranks), _p(r, len(pairs)))


def _pairs(first: Floats, second: Floats) -> Floats | None:
    """Put the two sides beside each other; None where there are no pairs at all."""
    if len(first) != len(second):
        raise UsageError(f"{len(first):,} values cannot be paired with {len(second):,}")
    return sample(np.column_stack([first, second])) if len(first) else None


def _ranked(values: Floats) -> Floats:
    """Number the values from the smallest on; equal ones share the mean of their numbers."""
    _, member, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[member], np.float64)


def _interval(r: float, pairs: int, level: float, *, ranks: bool) -> Interval:
    from scipy.special import ndtri  # scipy only where a quantile is needed

    if abs(r) == 1:
        return Interval(r, r, level, "all pairs lie on one line")
    error = math.sqrt((1 + r**2 / 2 if ranks else 1) / (pairs - 3))
    reach = float(ndtri((1 + level) / 2)) * error
    return Interval(math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach), level)


def _p(r: float, pairs: int) -> float:
    from scipy.special import stdtr  # scipy only where a tail is needed

    freedom = pairs - 2
    if abs(r) == 1:
        # Of all orders two fit as well: this one and its reverse.
        return max(2 / math.factorial(pairs), sys.float_info.min)
    t = abs(r) * math.sqrt(freedom / (1 - r**2))
    return max(2 * float(stdtr(freedom, -t)), sys.float_info.min)
