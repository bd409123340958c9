"""How often each vector is among the nearest of the others (Radovanovic et al. 2010)."""

import numpy as np

from assay.models.quality._cosines import cosines
from assay.models.quality._distinct import distinct
from assay.models.quality._shape import checked, enough
from assay.records.arrays import Ints
from assay.records.model import Vectors

__all__ = ["K", "occurrences"]

K = 10  # nearest, as in Radovanovic et al. 2010


def occurrences(vectors: Vectors) -> Ints:
    """Count for each distinct vector in how many lists of the ten nearest others it stands.

    Equal vectors count as one, in the order of ``distinct``: their N_k is not defined, since which
    ten of twenty copies are the nearest to anything is chance.
    """
    unit = checked(vectors, least=1)
    unit = unit[distinct(unit)]
    enough(len(unit), "distinct vectors", least=K + 2)
    counts: Ints = np.zeros(len(unit), dtype=np.int64)
    for start, block in cosines(unit):
        own = np.arange(len(block))
        block[own, start + own] = -np.inf
        nearest = np.argpartition(-block, K, axis=1)[:, :K]
        counts += np.bincount(nearest.ravel(), minlength=len(unit))
    return counts
