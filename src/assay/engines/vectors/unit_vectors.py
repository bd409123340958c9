"""Rows of length 1: the dot product of two of them is their cosine."""

import numpy as np

from assay.records import Floats, Vectors

__all__ = ["unit_vectors"]


def unit_vectors(vectors: Vectors | Floats) -> Floats:
    """Bring each row to length 1, in float64; a row of zeros stays one.

    Vectors that were kept as bytes are only nearly of length 1.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    scaled: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled
