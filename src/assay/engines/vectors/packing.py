"""How a vector is kept: bytes of one width per row, in float32, float16 or int8.

An int8 row is symmetric: the largest of its values becomes 127, and a float32 scale before the
codes gives the row back its length, so that rounding turns a vector and never stretches it.
"""

from typing import Any

import numpy as np

from assay.errors import InputError
from assay.records import Bytes, Floats, Vectors
from assay.text.quote import quote_value

__all__ = [
    "PRECISIONS",
    "Codes",
    "check_precision",
    "coded",
    "dimension_of",
    "dots",
    "pack",
    "unpack",
    "width",
]

Codes = np.ndarray[tuple[Any, ...], np.dtype[Any]]
PRECISIONS = ("float32", "float16", "int8")
_TYPES = {"float32": "<f4", "float16": "<f2"}
_SCALE = 4  # bytes
_OFF = 1e-3  # rows whose length is further from 1 are brought to it; nearer ones keep their bits


def check_precision(precision: str) -> None:
    """Refuse a precision that nobody can store."""
    if precision not in PRECISIONS:
        raise InputError(
            f"unknown precision {quote_value(precision)}",
            where="precision",
            hint=f"available: {', '.join(PRECISIONS)}",
        )


def width(dimension: int, precision: str) -> int:
    """Count the bytes of one stored vector."""
    check_precision(precision)
    return dimension * {"float32": 4, "float16": 2, "int8": 1}[precision] + (
        _SCALE if precision == "int8" else 0
    )


def dimension_of(packed: Bytes, precision: str) -> int:
    """Tell the length of the vectors from the width of their bytes."""
    size, scale = {"float32": (4, 0), "float16": (2, 0), "int8": (1, _SCALE)}[precision]
    if packed.ndim != 2 or packed.shape[1] < scale or (packed.shape[1] - scale) % size:
        raise InputError(
            f"stored vectors of shape {packed.shape} do not match precision {precision}",
            where="vectors",
            hint="use the precision that the vectors were stored with",
        )
    return int(packed.shape[1] - scale) // size


def pack(vectors: Vectors, precision: str) -> Bytes:
    """Turn vectors into a row of bytes each; rows are of length 1, or zero."""
    check_precision(precision)
    unit = _unit(vectors)
    if precision == "int8":
        return _pack_int8(unit)
    kept = np.ascontiguousarray(unit, dtype=_TYPES[precision])
    return kept.view(np.uint8).reshape(len(kept), width(unit.shape[1], precision))


def unpack(packed: Bytes, precision: str) -> Vectors:
    """Give stored vectors back as float32; a view where that is what is stored."""
    codes, scales = coded(packed, precision)
    values: Vectors = codes.astype(np.float32, copy=False)
    if scales is not None:
        values *= scales[:, None]
    return values


def coded(packed: Bytes, precision: str) -> tuple[Codes, Vectors | None]:
    """Look at stored rows as numbers of their own type, and at the scale of each if it has one."""
    check_precision(precision)
    dimension_of(packed, precision)
    if precision == "int8":
        scales = np.ascontiguousarray(packed[:, :_SCALE]).view("<f4")[:, 0]
        return packed[:, _SCALE:].view(np.int8), scales
    return np.ascontiguousarray(packed).view(_TYPES[precision]), None


def dots(packed: Bytes, precision: str, vector: Floats) -> Floats:
    """Multiply stored rows with a vector in float64, the same bits whatever rows are beside."""
    # Not by BLAS, whose sums depend on the place of a row and on the number of threads: numpy adds
    # up each row by itself, pairwise.
    codes, scales = coded(packed, precision)
    sums: Floats = np.add.reduce(codes * vector, axis=1)
    return sums if scales is None else sums * scales


def _unit(vectors: Vectors) -> Vectors:
    if vectors.ndim != 2:
        raise InputError(
            f"invalid shape {vectors.shape}", where="vectors", hint="expected one row per text"
        )
    lengths = _lengths(vectors)
    if not np.isfinite(lengths).all():
        raise InputError(
            "a vector contains NaN or infinite values",
            where=f"vectors, row {int(np.flatnonzero(~np.isfinite(lengths))[0])}",
            hint="check the embedding model",
        )
    off = (np.abs(lengths - 1) > _OFF) & (lengths > 0)
    if not off.any():
        return vectors.astype(np.float32, copy=False)
    unit: Vectors = vectors.astype(np.float32)
    unit[off] = vectors[off] / lengths[off, None]
    return unit


def _pack_int8(unit: Vectors) -> Bytes:
    largest = np.abs(unit).max(axis=1, initial=0.0)
    steps = 127.0 / np.where(largest > 0, largest, 1.0)
    codes = np.rint(unit * steps[:, None]).astype(np.int8)
    scales = _lengths(unit) / np.maximum(_lengths(codes), 1.0)
    packed = np.empty((len(unit), _SCALE + unit.shape[1]), np.uint8)
    packed[:, :_SCALE] = scales.astype("<f4").view(np.uint8).reshape(-1, _SCALE)
    packed[:, _SCALE:] = codes.view(np.uint8)
    return packed


def _lengths(rows: Codes) -> Floats:
    whole = rows.astype(np.float64)
    lengths: Floats = np.sqrt(np.add.reduce(whole * whole, axis=1))
    return lengths
