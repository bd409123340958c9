"""Rankings -> how hard each query is predicted to be, without any judgment."""

from collections.abc import Sequence

import numpy as np

from assay.records import Floats, Rankings

__all__ = ["PREDICTOR", "predict_difficulty"]

PREDICTOR = "score spread"
DEEP = 100  # documents of each query whose scores are looked at


def predict_difficulty(rankings: Sequence[Rankings], queries: Sequence[str]) -> dict[str, float]:
    """Put the queries in order from 0 (easy) to 1 (hard)."""
    if not rankings or not queries:
        return {}
    ease = np.mean([_ranked(_spread(one, queries)) for one in rankings], axis=0)
    places = _ranked(-ease)
    return dict(zip(queries, places.tolist(), strict=True))


def _spread(rankings: Rankings, queries: Sequence[str]) -> Floats:
    found = np.zeros(len(queries))
    for at, number in enumerate(rankings.numbers(queries).tolist()):
        if number >= 0:
            start, end = rankings.offsets[number : number + 2].tolist()
            scores = rankings.scores[start : min(end, start + DEEP)]
            found[at] = scores.std() if len(scores) > 1 else 0.0
    return found


def _ranked(values: Floats) -> Floats:
    """Place the values from 0 to 1; equal ones share the mean of their places."""
    _, member, counts = np.unique(values, return_inverse=True, return_counts=True)
    places = np.cumsum(counts) - (counts + 1) / 2
    return np.asarray(places[member] / max(len(values) - 1, 1), np.float64)
