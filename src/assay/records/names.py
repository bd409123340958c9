"""Document ids as fixed-width byte strings, which numpy compares and sorts as UTF-8."""

from collections.abc import Iterable

import numpy as np

from assay.records.arrays import Names, Words

__all__ = ["as_words", "decode", "encode", "fingerprints", "join"]

ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing, Knuth vol. 3, 6.4


def encode(texts: Iterable[str]) -> Names:
    """Turn Python strings into an array of names."""
    coded = [text.encode() for text in texts]
    width = max(8, -(-max(map(len, coded), default=0) // 8) * 8)
    return np.array(coded, dtype=f"S{width}")


def decode(names: Names) -> list[str]:
    """Turn an array of names back into Python strings."""
    return [name.decode() for name in names.tolist()]


def join(parts: list[Names]) -> Names:
    """Put arrays of names behind each other, at the width of the widest."""
    if not parts:
        return np.empty(0, "S8")
    if len(parts) == 1:
        return parts[0]
    width = max(part.dtype.itemsize for part in parts)
    joined = np.empty(sum(map(len, parts)), f"S{width}")
    at = 0
    for part in parts:
        joined[at : at + len(part)] = part
        at += len(part)
    return joined


def as_words(names: Names) -> Words:
    """See an array of names as rows of 64-bit words."""
    width = max(8, -(-names.dtype.itemsize // 8) * 8)
    names = np.ascontiguousarray(names.astype(f"S{width}", copy=False))
    return names.view("<u8").reshape(len(names), width // 8)


def fingerprints(words: Words, seeds: Words | np.uint64) -> Words:
    """Mix the words of each name with a seed; equal names and seeds give equal numbers.

    Trailing zero words change nothing, so that arrays of different widths agree.
    """
    mixed = np.zeros(len(words), np.uint64) ^ seeds
    for column in range(words.shape[1]):
        word = words[:, column]
        step = (mixed ^ word) * ODD
        step ^= step >> np.uint64(32)
        mixed = step if column == 0 else np.where(word, step, mixed)
    return mixed * ODD
