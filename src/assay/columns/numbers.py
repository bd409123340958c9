"""Decimal text -> float64, exactly as ``float`` reads it, eight digits at a time.

The digits of a word are combined by three multiplications (D. Lemire, "Quickly parsing eight
digits", 2022). A decimal whose digits make a whole number below 2^53, divided by a power of ten
up to 10^22, is rounded once and so is exact (W. D. Clinger, "How to read floating point numbers
accurately", 1990). What does not fit goes through ``float`` itself.
"""

from contextlib import suppress

import numpy as np

from assay.columns.block import Block
from assay.columns.names import names
from assay.records import Bools, Floats, Ints, Words

__all__ = ["numbers"]

ZEROS = np.uint64(0x3030303030303030)
HIGH_BYTES = np.array([0] + [(1 << 64) - (1 << 8 * (8 - n)) for n in range(1, 9)], np.uint64)
MOST_DECIMALS = 16
MOST_DIGITS = 18
POOR_LAYOUTS = 3  # layouts of few rows that are tried before the rest goes through `float`
LONG = 64  # bytes of a field that makes the others wide, too


def numbers(block: Block, starts: Ints, ends: Ints) -> Floats:
    """Read each field as a number; what is none becomes NaN."""
    signs = block.data[starts]
    negative = signs == ord("-")
    starts = starts + (negative | (signs == ord("+")))
    values = np.full(len(starts), np.nan)
    left = np.arange(len(starts))
    poor = 0
    while len(left) and poor < POOR_LAYOUTS:
        decimals = _decimals(block, int(starts[left[0]]), int(ends[left[0]]))
        fits = _read_layout(block, starts, ends, left, decimals, values)
        poor += int(8 * np.count_nonzero(fits) < len(fits))
        left = left[~fits]
        if not fits[0]:
            values[left[0]] = _read_one(block, starts[left[0]], ends[left[0]])
            left = left[1:]
    values[left] = _read_rest(block, starts[left], ends[left])
    return np.where(negative, -values, values)


def _decimals(block: Block, start: int, end: int) -> int:
    """Count the digits behind the point of one field; -1 without a point."""
    token = block.data[start:end].tobytes()
    return len(token) - 1 - token.find(b".") if b"." in token else -1


def _read_layout(
    block: Block, starts: Ints, ends: Ints, rows: Ints, decimals: int, values: Floats
) -> Bools:
    """Read the rows that have this many decimals; return which of them were read."""
    whole = len(rows) == len(starts)
    first, end = (starts, ends) if whole else (starts[rows], ends[rows])
    point = end - 1 - decimals if decimals >= 0 else end
    digits = point - first
    most = min(16, MOST_DIGITS - max(decimals, 0))  # `_digits` reads no more than 16
    fits = (digits >= 0) & (digits <= most) & (digits + max(decimals, 0) > 0)
    if decimals >= 0:
        fits &= block.data[point] == ord(".")
    if decimals > MOST_DECIMALS:
        return np.zeros(len(rows), bool)
    total = _digits(block, point, digits, fits)
    if decimals > 0:
        tail = _digits(block, end, np.full(1, decimals), fits)
        total = total * np.uint64(10**decimals) + tail
    fits &= total <= 1 << 53
    read = total.astype(np.float64) / 10.0 ** max(decimals, 0)
    if whole and fits.all():
        values[:] = read
    else:
        values[rows[fits]] = read[fits]
    return fits


def _digits(block: Block, ends: Ints, count: Ints, fits: Bools) -> Words:
    """Read up to 16 digits that end before ``ends``; strike from ``fits`` what is no digit."""
    total = _eight(block.words(ends - 8), np.clip(count, 0, 8), fits)
    if count.max(initial=0) > 8:
        upper = _eight(block.words(ends - 16), np.clip(count - 8, 0, 8), fits)
        total = total + upper * np.uint64(10**8)
    return total


def _eight(word: Words, count: Ints, fits: Bools) -> Words:
    keep = HIGH_BYTES[count]
    word = ((word ^ ZEROS) & keep) if len(count) > 1 else ((word ^ ZEROS) & keep[0])
    fits &= (((word + np.uint64(0x7676767676767676)) | word) & np.uint64(0x8080808080808080)) == 0
    word = word * np.uint64(10) + (word >> np.uint64(8))
    low = np.uint64(0x000000FF000000FF)
    upper = (word & low) * np.uint64(100 + (1000000 << 32))
    lower = ((word >> np.uint64(16)) & low) * np.uint64(1 + (10000 << 32))
    return (upper + lower) >> np.uint64(32)


def _read_rest(block: Block, starts: Ints, ends: Ints) -> list[float]:
    """Read fields of any layout: all by ``float`` at once, or each apart if one is refused."""
    signed = np.isin(block.data[starts], (ord("+"), ord("-"))).any()  # a second sign
    if not signed and (ends - starts).max(initial=0) <= LONG:
        tokens = names(block, starts, ends)
        with suppress(ValueError):
            if not (tokens.view(np.uint8) == ord("_")).any():
                return list(map(float, tokens.tolist()))
    return [_read_one(block, start, end) for start, end in zip(starts, ends, strict=True)]


def _read_one(block: Block, start: int, end: int) -> float:
    token = block.data[start:end].tobytes()
    if b"_" in token or token[:1] in b"+-":
        return float("nan")
    try:
        return float(token)
    except ValueError:
        return float("nan")
