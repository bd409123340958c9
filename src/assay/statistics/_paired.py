"""Paired differences with the rounding noise of equal scores taken out."""

import numpy as np

from assay.records import Floats, Ints
from assay.statistics._sample import sample

__all__ = ["paired"]

# Two sums of the same gains in another order differ by about 1e-16; no metric is that fine.
NOISE = 1e-12


def paired(
    differences: Floats, *, strata: Ints | None = None, weights: Floats | None = None
) -> Floats:
    """Return the differences as columns, those below the noise being exactly 0."""
    rows = sample(differences, strata=strata, weights=weights, what="differences")
    return np.where(np.abs(rows) < NOISE, 0.0, rows)
