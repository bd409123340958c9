"""The array types that records are made of."""

from typing import Any

import numpy as np

__all__ = ["Bools", "Bytes", "Floats", "Ints", "Names", "PerQuery", "Rows", "Words"]

# Spelled out, since importing numpy.typing would cost more than scoring a small run.
Floats = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Ints = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Rows = np.ndarray[tuple[Any, ...], np.dtype[np.int32]]
Bools = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Bytes = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]
Words = np.ndarray[tuple[Any, ...], np.dtype[np.uint64]]
Names = np.ndarray[tuple[Any, ...], np.dtype[np.bytes_]]  # UTF-8, of equal width, zero-padded
PerQuery = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]  # in the order of `queries`
