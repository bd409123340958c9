"""Blend: how unusually near a document is, plus its share of the best match of words."""

from collections.abc import Sequence

import numpy as np

from assay.engines.fusions._columns import spread
from assay.engines.fusions._shape import Fusion, check_lists, check_weights, weighted
from assay.records import Floats, Found, Ints

__all__ = ["blend"]


def blend(*, weights: Sequence[float] = (2.0, 1.0)) -> Fusion:
    """Add up lexical scores as shares of the query's best, and cosines in standard deviations.

    The deviation is that of this query's cosines over the whole index, not over the list: a nearest
    document that stands far out weighs more than one of many alike, and the end of the list no
    longer decides on the scale, as it does in the z-score and the min-max of Bruch, Gai and Ingber,
    "An Analysis of Fusion Functions for Hybrid Retrieval" (2023). A document that a list lacks
    has 0 there if its scores are of words, else the smallest that was found. No threshold can be
    applied after it.
    """
    given = check_weights(weights, "blend")

    def fuse(found: Sequence[Found]) -> Found:
        check_lists(found, given, "blend")
        return weighted(found, given, _column, kind="blend")

    return Fusion("blend", "blend", (("weights", given),), fuse, spreads=True)


def _column(found: Found, rows: Ints) -> Floats:
    if not len(found.rows):
        return np.zeros(len(rows))
    if found.kind != "cosine":
        best = float(found.scores.max())
        return spread(found, found.scores / best if best > 0 else found.scores, rows, 0.0)
    middle, deviation = found.spread or (float(found.scores.mean()), float(found.scores.std()))
    # Equal cosines may differ from their own mean by a rounding, which is no deviation.
    z = (found.scores - middle) / deviation if deviation > 1e-9 else np.zeros(len(found.scores))
    return spread(found, z, rows, float(z.min()))
