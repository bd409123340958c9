"""Percentile of a sample, interpolated between its neighbours."""

import math

import numpy as np

from assay.errors import UsageError
from assay.records import Floats
from assay.statistics._sample import sample

__all__ = ["percentile"]


def percentile(values: Floats, share: float) -> float:
    """Return the value below which a share (0..1) lies: Hyndman and Fan (1996), definition 7."""
    if not 0 <= share <= 1:
        hint = "write p95 as 0.95"
        raise UsageError(f"a percentile must be between 0 and 1, got {share}", hint=hint)
    ordered = np.sort(sample(values)[:, 0])
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))
