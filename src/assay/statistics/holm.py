"""Holm's correction: the chance of any false alarm stays below alpha."""

import numpy as np

from assay.records import Floats
from assay.statistics._sample import sample

__all__ = ["holm"]


def holm(p: Floats) -> Floats:
    """Return the corrected p-values, in the order given.

    The k-th smallest of m is multiplied by m - k + 1 and never falls below the one before it:
    Holm (Scandinavian Journal of Statistics, 1979).
    """
    raw = sample(p, what="p-values")[:, 0]
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1))
    corrected = np.empty_like(raw)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
