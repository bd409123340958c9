"""The cosines of all vectors with all, some rows at a time: all at once would not fit."""

from collections.abc import Iterator

from assay.records.arrays import Floats

__all__ = ["cosines"]

BLOCK = 512  # rows that are compared at once


def cosines(unit: Floats) -> Iterator[tuple[int, Floats]]:
    """Yield the place of a first row, and the cosines of it and the next ones with all."""
    for start in range(0, len(unit), BLOCK):
        yield start, unit[start : start + BLOCK] @ unit.T
