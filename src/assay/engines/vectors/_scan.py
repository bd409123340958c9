"""Every stored vector times the query's, by BLAS in float32, a block in the processor's cache."""

import numpy as np

from assay.engines.vectors.packing import Codes, coded
from assay.records import Bytes, Floats, Vectors

__all__ = ["scan"]

# The bits of a float16, moved to their places in a float32, are its value divided by this: the
# exponents of the two are biased by 15 and by 127. Numpy converts a number at a time instead.
_BIAS = np.float32(2.0**112)
_SIGN_AND_REST = np.int32(0x8FFFE000 - (1 << 32))


def scan(packed: Bytes, precision: str, unit: Floats, block_rows: int) -> Floats:
    """Multiply all rows with a vector, without ever unpacking more than a block of them."""
    codes, scales = coded(packed, precision)
    half = precision == "float16"
    vector = unit.astype(np.float32) * (_BIAS if half else np.float32(1))
    block, scanned = np.empty((block_rows, len(unit)), np.float32), np.empty(len(codes))
    for start in range(0, len(codes), block_rows):
        part = codes[start : start + block_rows]
        filled = block[: len(part)]
        if half:
            _widen(part.view("<i2"), filled)
        else:
            np.copyto(filled, part, casting="same_kind")
        with np.errstate(invalid="ignore"):  # OpenBLAS may raise it for lanes that it throws away
            scanned[start : start + block_rows] = filled @ vector
    return scanned if scales is None else scanned * scales


def _widen(halves: Codes, filled: Vectors) -> None:
    """Write the bits of float16 numbers as those of float32 numbers, which are 2**112 smaller."""
    bits = filled.view(np.int32)
    np.copyto(bits, halves)
    bits <<= 13
    bits &= _SIGN_AND_REST
