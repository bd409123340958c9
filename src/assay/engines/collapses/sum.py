"""Sum: a document has the sum of the scores of its retrieved chunks."""

import numpy as np

from assay.records import Floats, Ints

__all__ = ["sum_of_chunks"]


def sum_of_chunks(scores: Floats, codes: Ints, firsts: Ints) -> Floats:
    """Sum over the retrieved chunks of each document; favours long documents."""
    return np.bincount(codes, weights=scores, minlength=len(firsts)).astype(np.float64)
