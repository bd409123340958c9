"""What is ranked are directions: a vector that holds no number has none, and is refused."""

import numpy as np

from assay.engines.vectors.unit_vectors import unit_vectors
from assay.errors import InputError
from assay.records import Floats, Vectors
from assay.text.count_noun import count_noun

__all__ = ["direction", "directions"]


def directions(vectors: Vectors | Floats) -> Floats:
    """Bring rows to length 1 in float64; a row of zeros stays one."""
    if not np.isfinite(vectors).all():
        raise InputError(
            "a vector contains NaN or infinite values",
            where="coherence",
            hint="check the model, then rebuild the index",
        )
    return unit_vectors(vectors)


def direction(vector: Vectors | Floats, among: Floats) -> Floats:
    """Bring the vector of a query, of any length, to length 1, if it is one ``among`` such rows.

    >>> direction(np.array([3.0, 4.0]), np.eye(2)).tolist()
    [0.6, 0.8]
    """
    if len(among) and among.shape[1] != vector.size:
        dimensions = count_noun(vector.size, "dimension")
        raise InputError(
            f"the query vector has {dimensions}, the index has {among.shape[1]}",
            where="coherence",
            hint="search with the model that the index was built with",
        )
    return np.asarray(directions(vector.reshape(1, -1))[0])
