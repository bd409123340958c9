"""How often each vector is among the nearest of the others."""

import numpy as np

from assay.models.quality._shape import checked
from assay.records.arrays import Ints
from assay.records.model import Vectors

__all__ = ["K", "occurrences"]

K = 10  # nearest, as in Radovanovic et al. 2010
BLOCK = 512  # rows that are compared at once


def occurrences(vectors: Vectors) -> Ints:
    """Count for each vector in how many lists of the ten nearest it stands; its own is not one."""
    unit = checked(vectors, least=K + 2)
    counts: Ints = np.zeros(len(unit), dtype=np.int64)
    for start in range(0, len(unit), BLOCK):
        cosines = unit[start : start + BLOCK] @ unit.T
        own = np.arange(len(cosines))
        cosines[own, start + own] = -np.inf
        nearest = np.argpartition(-cosines, K, axis=1)[:, :K]
        counts += np.bincount(nearest.ravel(), minlength=len(unit))
    return counts
