"""Interval of a percentile, between two of the sample's own values."""

import numpy as np

from assay.errors import UsageError
from assay.records import Floats, Interval
from assay.statistics._sample import sample

__all__ = ["percentile_interval"]


def percentile_interval(values: Floats, share: float, *, level: float = 0.95) -> Interval:
    """Give the order statistics that hold the percentile, whatever the distribution.

    How many of n values lie below it is binomial: David and Nagaraja (Order Statistics, 2003,
    section 7.1). Where even the smallest or largest value is not sure enough, it is the end, and
    the note says so.
    """
    from scipy.special import bdtr  # scipy only where a tail is needed

    if not 0 < share < 1:
        raise UsageError(f"a percentile's share lies between 0 and 1, got {share}")
    ordered = np.sort(sample(values)[:, 0])
    count, tail = len(ordered), (1 - level) / 2
    at_most = bdtr(np.arange(count), count, share)  # P(at most k values lie below), k = 0..n-1
    first = int(np.searchsorted(at_most, tail, side="right"))
    last = int(np.searchsorted(at_most, 1 - tail, side="left"))
    note = _note(count, share, reached=first > 0 and last < count)
    return Interval(
        float(ordered[max(first - 1, 0)]), float(ordered[min(last, count - 1)]), level, note
    )


def _note(count: int, share: float, *, reached: bool) -> str:
    name = f"p{100 * share:g}"
    if count * min(share, 1 - share) < 1:
        return f"{name} of {count} samples is hardly more than the {_end(share)} one"
    return "" if reached else f"too few samples for the {name}: the {_end(share)} one is an end"


def _end(share: float) -> str:
    return "largest" if share >= 0.5 else "smallest"
