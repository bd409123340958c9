"""Decimal text -> float64, exactly as ``float`` reads it, eight digits at a time.

The digits of a word are combined by three multiplications (D. Lemire, "Quickly parsing eight
digits", 2022). A decimal whose digits make a whole number below 2^53, divided by a power of ten
up to 10^22, is rounded once and so is exact (W. D. Clinger, "How to read floating point numbers
accurately", 1990). Up to 18 digits are divided in twice the precision (T. J. Dekker, "A
floating-point technique for extending the available precision", 1971), which is exact but for
quotients that lie almost halfway between two numbers. These, and what does not fit, go through
``float`` itself.
"""

from contextlib import suppress

import numpy as np

from assay.columns.blocks.block import Block
from assay.columns.blocks.names import names
from assay.records import Bools, Floats, Ints, Words

__all__ = ["numbers"]

ZEROS = np.uint64(0x3030303030303030)
HIGH_BYTES = np.array([0] + [(1 << 64) - (1 << 8 * (8 - n)) for n in range(1, 9)], np.uint64)
MOST_DECIMALS = 22  # 10^22 is the largest power of ten that is a float64
MOST_DIGITS = 18
SPLITTER = 2.0**27 + 1
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
    if decimals > MOST_DECIMALS:
        return np.zeros(len(rows), bool)
    point = end - 1 - decimals if decimals >= 0 else end
    fits = (point >= first) & (point - first + max(decimals, 0) > 0)
    if decimals >= 0:
        fits &= block.data[point] == ord(".")
    total = _digits(block, point, point - first, fits)
    if decimals > 0:
        fits &= total < 10 ** max(MOST_DIGITS - decimals, 0)
        shift = np.uint64(10 ** min(decimals, MOST_DIGITS))
        total = total * shift + _digits(block, end, np.full(1, decimals), fits)
    read = _divide(total, 10.0 ** max(decimals, 0), fits)
    if whole and fits.all():
        values[:] = read
    else:
        values[rows[fits]] = read[fits]
    return fits


def _digits(block: Block, ends: Ints, count: Ints, fits: Bools) -> Words:
    """Read up to 18 digits that end before ``ends``; strike from ``fits`` what is no digit."""
    total = _eight(block.words(ends - 8), np.clip(count, 0, 8), fits)
    most = int(count.max(initial=0))
    if most > 8:
        upper = _eight(block.words(ends - 16), np.clip(count - 8, 0, 8), fits)
        total = total + upper * np.uint64(10**8)
    if most > 16:
        top = _eight(block.words(np.maximum(ends - 24, 0)), np.clip(count - 16, 0, 8), fits)
        fits &= (top < 100) & (count <= 24)
        total = total + top * np.uint64(10**16)
    return total


def _divide(total: Words, power: float, fits: Bools) -> Floats:
    """Divide whole numbers below 10^18; strike from ``fits`` what cannot be rounded for sure."""
    high = total.astype(np.float64)
    quotient = high / power
    large = np.flatnonzero(total > 1 << 53)
    if len(large):
        high, first = high[large], quotient[large]
        low = (total[large] - high.astype(np.uint64)).view(np.int64).astype(np.float64)
        product, error = _product(first, power)
        rest = (((high - product) - error) + low) / power
        quotient[large] = first + rest
        beyond = np.abs(rest - (quotient[large] - first))
        half = np.spacing(quotient[large]) / 2
        for edge in (half, half / 2):  # the next number is nearer below a power of two
            fits[large] &= np.abs(beyond - edge) > edge * 1e-9
    return quotient


def _product(left: Floats, right: float) -> tuple[Floats, Floats]:
    """Return a product and its rounding error, exactly (Dekker)."""
    product = left * right
    (a, b), (c, d) = _halves(left), _halves(np.full(1, right))
    return product, ((a * c - product) + a * d + b * c) + b * d


def _halves(number: Floats) -> tuple[Floats, Floats]:
    """Split a number into two of half as many bits."""
    shifted = SPLITTER * number
    upper = shifted - (shifted - number)
    return upper, number - upper


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
