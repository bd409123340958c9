"""The array types that records are made of."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bools", "Floats", "Ints", "Names", "PerQuery"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Names = NDArray[np.bytes_]  # UTF-8, of equal width, padded with zeros
PerQuery = NDArray[np.float64]  # one number per query, in the order of `queries`
