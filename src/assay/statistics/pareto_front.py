"""Which points no other is better than in everything."""

import numpy as np

from assay.records import Floats
from assay.statistics._sample import sample

__all__ = ["pareto_front"]


def pareto_front(points: Floats) -> list[int | None]:
    """Return for each point the place of one on the front that dominates it; None: it is on it.

    More is better in every column. A point is dominated by one that is nowhere worse and somewhere
    better (Pareto 1906), so equal points are on the front together. Of several that dominate a
    point, the one with the most in the first column is named.
    """
    rows = sample(points, what="points")
    order = np.lexsort((*(-rows[:, ::-1].T),))  # the first column counts most
    front: list[int] = []
    found: list[int | None] = [None] * len(rows)
    for at in order.tolist():  # whatever dominates a point stands before it
        found[at] = _dominating(rows, front, at)
        if found[at] is None:
            front.append(at)
    return found


def _dominating(rows: Floats, front: list[int], at: int) -> int | None:
    others = rows[front]
    beaten = (others >= rows[at]).all(axis=1) & (others > rows[at]).any(axis=1)
    return front[int(beaten.argmax())] if beaten.any() else None
