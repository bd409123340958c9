"""Hits of an engine -> what was found: best first, ties by row."""

import numpy as np

from assay.records import Floats, FoundRows, Ints

__all__ = ["NOISE", "nothing", "ranked"]

# Engines add up a score in float32 and in an order that depends on where a chunk lies, so equal
# chunks can differ in the last digits. What differs by less than this share is a tie.
NOISE = 2e-6


def ranked(
    rows: Ints, scores: Floats, depth: int, best: float | None, *, noise: float = NOISE
) -> FoundRows:
    """Order hits, and keep those within the depth; what differs by ``noise`` is a tie."""
    order = np.lexsort((rows, -scores))
    rows, scores = rows[order], _levelled(scores[order], noise)
    order = np.lexsort((rows, -scores))[:depth]
    return FoundRows(rows[order], scores[order], "bm25", best)


def nothing() -> FoundRows:
    """Return what is found when no term of a query is known."""
    return FoundRows(np.empty(0, np.int64), np.empty(0, np.float64), "bm25", 0.0)


def _levelled(scores: Floats, noise: float) -> Floats:
    """Give falling scores that differ by noise the largest of them."""
    if not len(scores):
        return scores
    first = np.append(True, scores[:-1] - scores[1:] > noise * scores[:-1])
    level: Floats = scores[first][np.cumsum(first) - 1]
    return level
