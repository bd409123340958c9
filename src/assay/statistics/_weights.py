"""The weight of each query in the mean: equal collections, equal queries within one."""

import numpy as np

from assay.records import Floats, Ints

__all__ = ["weights"]


def weights(queries: int, strata: Ints | None = None) -> Floats:
    """Return weights that sum to 1, so that ``weights @ values`` is the macro mean."""
    if strata is None:
        return np.full(queries, 1 / queries)
    _, member, sizes = np.unique(strata, return_inverse=True, return_counts=True)
    return np.asarray(1 / (len(sizes) * sizes[member]), dtype=np.float64)
