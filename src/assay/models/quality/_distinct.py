"""Which vectors point elsewhere than all before them: of equal ones, the first."""

import numpy as np

from assay.models.quality._cosines import cosines
from assay.models.quality._shape import checked
from assay.records.arrays import Floats, Ints
from assay.records.model import Vectors

__all__ = ["distinct"]

EQUAL = 1 - 1e-9  # cosine: what rounding to float16 leaves of 1


def distinct(vectors: Vectors | Floats) -> Ints:
    """Return the places of the first of equal vectors, among those that have a direction.

    >>> distinct(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]], np.float32)).tolist()
    [0, 2]
    """
    unit = checked(vectors, least=1)
    first = [np.argmax(block > EQUAL, axis=1) for _, block in cosines(unit)]
    places: Ints = np.flatnonzero(np.concatenate(first) == np.arange(len(unit)))
    return places
