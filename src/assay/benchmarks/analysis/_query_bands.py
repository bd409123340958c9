"""Queries in order of a figure -> up to three bands of about the same size."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

__all__ = ["bands_of"]

THREE = 3
LEVELS = {2: ("easy", "hard"), 3: ("easy", "medium", "hard")}


def bands_of(hardness: Mapping[str, float]) -> dict[str, list[str]]:
    """Cut at the thirds, easiest first; equal queries stay together, where their middle falls.

    Where that leaves two bands these are easy and hard; where all queries are equal, or there is
    only one, there are none.
    """
    ordered = sorted(hardness, key=hardness.__getitem__)
    values = [hardness[query] for query in ordered]
    found: dict[int, list[str]] = {}
    for query, value in zip(ordered, values, strict=True):
        first, last = bisect_left(values, value), bisect_right(values, value)
        band = min((first + last) * THREE // (2 * len(values)), THREE - 1)
        found.setdefault(band, []).append(query)
    if len(found) not in LEVELS:
        return {}
    return dict(zip(LEVELS[len(found)], (found[band] for band in sorted(found)), strict=True))
