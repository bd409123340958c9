"""Candidates of a made-up query, as a dense search would hand them over."""

import numpy as np

from assay.records import Floats

__all__ = ["candidates"]

TOPICS = 40
NOISE = 1.0  # of a candidate beside its topic
PULL = 0.7  # of the query: enough for cosines around .5, too little for an easy gate


def candidates(count: int, dimension: int, seed: int) -> tuple[Floats, Floats]:
    """Return unit rows in the order of their cosines with a unit query, and the query."""
    rng = np.random.default_rng(seed)
    query = _unit(rng.normal(size=dimension))
    topics = _unit(rng.normal(size=(TOPICS, dimension)))
    noise = NOISE * _unit(rng.normal(size=(count, dimension)))
    rows = _unit(topics[rng.integers(TOPICS, size=count)] + noise + PULL * query)
    return rows[np.argsort(-(rows @ query), kind="stable")], query


def _unit(rows: Floats) -> Floats:
    scaled: Floats = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return scaled
