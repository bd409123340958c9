"""Interval of a percentile, between two of the sample's own values."""

import math

import numpy as np

from assay.errors import UsageError
from assay.records import Floats, Interval
from assay.statistics._sample import sample
from assay.text.count_noun import count_noun

__all__ = ["percentile_interval"]


def percentile_interval(values: Floats, share: float, *, level: float = 0.95) -> Interval:
    """Give the order statistics that hold the percentile, whatever the distribution.

    How many of n values lie below it is binomial: David and Nagaraja (Order Statistics, 2003,
    section 7.1). Where even the smallest or largest value is not sure enough, the end is infinite,
    and the note says so.
    """
    from scipy.special import bdtr  # scipy only where a tail is needed

    if not 0 < share < 1:
        raise UsageError(f"a percentile must be between 0 and 1, got {share}")
    ordered = np.sort(sample(values)[:, 0])
    count, tail = len(ordered), (1 - level) / 2
    at_most = bdtr(np.arange(count), count, share)  # P(at most k values lie below), k = 0..n-1
    first = int(np.searchsorted(at_most, tail, side="right"))
    last = int(np.searchsorted(at_most, 1 - tail, side="left"))
    low = float(ordered[first - 1]) if first > 0 else -math.inf
    high = float(ordered[last]) if last < count else math.inf
    return Interval(low, high, level, _note(count, share, low, high))


def _note(count: int, share: float, low: float, high: float) -> str:
    name = f"p{100 * share:g}"
    if count * min(share, 1 - share) < 1:
        extreme = "largest" if share >= 0.5 else "smallest"
        return f"{name} of {count_noun(count, 'sample')} is essentially the {extreme} one"
    lacking = [end for end, at in (("lower", low), ("upper", high)) if math.isinf(at)]
    return (
        f"too few samples for the {' and '.join(lacking)} end of the {name} interval"
        if lacking
        else ""
    )
