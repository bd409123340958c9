"""Sum: a document is as good as all its chunks that were found, together."""

import numpy as np

from assay.records import Floats, Ints

__all__ = ["sum_of_chunks"]


def sum_of_chunks(scores: Floats, codes: Ints, firsts: Ints) -> Floats:
    """Add up the scores of each document's chunks; long documents gain by it."""
    return np.bincount(codes, weights=scores, minlength=len(firsts)).astype(np.float64)
