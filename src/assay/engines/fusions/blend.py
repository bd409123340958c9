"""Blend: a weighted sum of normalized lexical scores and standardized cosines."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.engines.fusions._columns import spread
from assay.engines.fusions._shape import Fusion, check_lists, check_weights, weighted
from assay.records import Floats, FoundRows, Ints

__all__ = ["blend"]

WEIGHTS = (1.5, 1.0)
LEAST = 0.05  # standard deviation of cosines: where all are alike, small differences say little
ALL_OF_IT = 4 / 3  # what a document gains that holds every word of the query, in best matches ...
STEEPNESS = 8  # ... of which nine tenths of the words leave less than half
UNDECIDED = 1e-6  # what the other lists still say where one knows best: they part equals


def blend(*, weights: Sequence[float] = WEIGHTS) -> Fusion:
    """The default: weighted sum of relative BM25 scores and cosine z-scores over the whole index.

    Cosines are standardized over all vectors of the index, not over the result list. An outlier
    therefore scores higher than one of many similar documents, and the depth of the list does not
    change the scale, as it does for z_score and min_max (Bruch, Gai and Ingber, "An Analysis of
    Fusion Functions for Hybrid Retrieval", 2023). A document that contains nearly all terms of the
    query (names, numbers, quoted words) gets a bonus. If the query is code, lexical scores decide
    and dense scores only break ties. A document missing from the lexical list scores 0 there; one
    missing from the dense list gets the lowest retrieved score. A threshold cannot be applied to
    blended scores.
    """
    given = check_weights(weights, "blend")

    def fuse(found: Sequence[FoundRows]) -> FoundRows:
        check_lists(found, given, "blend")
        if not any(one.decisive and len(one.rows) for one in found):
            return weighted(found, given, _column, kind="blend")
        alone = [replace(one, coverage=None) for one in found]
        says = [
            weight * (1 if one.decisive else UNDECIDED)
            for one, weight in zip(found, given, strict=True)
        ]
        return weighted(alone, says, _column, kind="blend")

    settings = (("weights", given), ("whole", ALL_OF_IT), ("steepness", STEEPNESS))
    return Fusion("blend", "blend", settings, fuse, spreads=True, column=_column)


def _column(found: FoundRows, rows: Ints) -> Floats:
    if not len(found.rows):
        return np.zeros(len(rows))
    if found.kind == "cosine":
        z = _deviations(found)
        return spread(found, z, rows, float(z.min()))
    best = float(found.scores.max())
    shares = found.scores / best if best > 0 else found.scores
    if found.coverage is not None:
        shares = shares + ALL_OF_IT * found.coverage**STEEPNESS
    return spread(found, shares, rows, 0.0)


def _deviations(found: FoundRows) -> Floats:
    """Return how many standard deviations each cosine lies above what is usual."""
    usual, deviation = found.spread or (float(found.scores.mean()), float(found.scores.std()))
    z: Floats = (found.scores - usual) / max(deviation, LEAST)
    return z
