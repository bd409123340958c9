"""Scores become a ranking: best first, ties by row, at most as many as asked for."""

import numpy as np

from assay.records import Floats, Found, Ints

__all__ = ["above", "nothing", "ranked"]


def ranked(
    rows: Ints, scores: Floats, *, kind: str, best: float | None = None, depth: int | None = None
) -> Found:
    """Order rows by falling score (ties: smaller row first) and keep the first ``depth``."""
    order = np.lexsort((rows, -scores))[:depth]
    return Found(rows=rows[order], scores=scores[order], kind=kind, best=best)


def nothing(kind: str, best: float | None = None) -> Found:
    """Say that nothing was found."""
    return Found(np.empty(0, np.int64), np.empty(0, np.float64), kind, best)


def above(head: Found, rest: Ints) -> Found:
    """Put rows below a ranking in their order, each with one less than the score above it."""
    below = head.scores[-1] - np.arange(1, len(rest) + 1)
    rows: Ints = np.concatenate([head.rows, rest])
    scores = np.concatenate([head.scores, below])
    return Found(rows, scores, head.kind, judged=len(head.rows))
