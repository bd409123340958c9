"""Benjamini and Hochberg's correction: the expected share of false alarms stays below alpha."""

import numpy as np

from assay.records import Floats
from assay.statistics._sample import sample

__all__ = ["benjamini_hochberg"]


def benjamini_hochberg(p: Floats) -> Floats:
    """Return the corrected p-values, in the order given.

    The k-th smallest of m is multiplied by m / k and never exceeds the one after it:
    Benjamini and Hochberg (Journal of the Royal Statistical Society B, 1995).
    """
    raw = sample(p, what="p-values")[:, 0]
    order = np.argsort(raw, kind="stable")
    scaled = raw[order] * len(raw) / np.arange(1, len(raw) + 1)
    corrected = np.empty_like(raw)
    corrected[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return corrected
