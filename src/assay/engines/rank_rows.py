"""Scores become a ranking: best first, ties by row, at most as many as asked for."""

import numpy as np

from assay.records import Floats, FoundRows, Ints

__all__ = ["above", "best_of", "nothing", "order_rows", "ranked"]


def ranked(
    rows: Ints, scores: Floats, *, kind: str, best: float | None = None, depth: int | None = None
) -> FoundRows:
    """Order rows by falling score (ties: smaller row first) and keep the first ``depth``."""
    order = order_rows(rows, scores)[:depth]
    return FoundRows(rows=rows[order], scores=scores[order], kind=kind, best=best)


def order_rows(rows: Ints, scores: Floats) -> Ints:
    """Return the order of falling score, ties by smaller row."""
    return np.lexsort((rows, -scores))


def nothing(kind: str, best: float | None = None) -> FoundRows:
    """Say that nothing was found."""
    return FoundRows(np.empty(0, np.int64), np.empty(0, np.float64), kind, best)


def above(head: FoundRows, rest: Ints) -> FoundRows:
    """Put rows below a ranking in their order, each with one less than the score above it."""
    below = head.scores[-1] - np.arange(1, len(rest) + 1)
    rows: Ints = np.concatenate([head.rows, rest])
    scores = np.concatenate([head.scores, below])
    return FoundRows(rows, scores, head.kind, judged=len(head.rows))


def best_of(found: FoundRows, rows: Ints) -> int | None:
    """Return the place of the first of these rows in a list, or None."""
    places = np.flatnonzero(np.isin(found.rows, rows))
    return int(places[0]) if len(places) else None
