"""Z-score: a weighted sum of scores that are standardized per list and query."""

from collections.abc import Sequence

import numpy as np

from assay.engines.fusions._columns import spread
from assay.engines.fusions._shape import Fusion, check_lists, check_weights, weighted
from assay.records import Floats, FoundRows, Ints

__all__ = ["z_score"]

FLOOR = -3.0


def z_score(*, weights: Sequence[float] = (0.4, 0.6)) -> Fusion:
    """Weighted sum of scores standardized per list; a document missing from a list scores -3.

    Standardized as in Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval"
    (2023). If the lowest z-score of a list is below -3, a missing document gets that score, so that
    it never ranks above a retrieved one. In a list of equal scores, all are 0. A threshold cannot
    be applied to the result.
    """
    given = check_weights(weights, "z_score")

    def fuse(found: Sequence[FoundRows]) -> FoundRows:
        check_lists(found, given, "z_score")
        return weighted(found, given, _column, kind="z_score")

    return Fusion("z_score", "z_score", (("weights", given),), fuse, column=_column)


def _column(found: FoundRows, rows: Ints) -> Floats:
    if not len(found.rows):
        return np.full(len(rows), FLOOR)
    middle, deviation = found.scores.mean(), found.scores.std()
    # Equal scores may differ from their own mean by a rounding, which is no deviation.
    spans = deviation > 1e-12 * max(1.0, abs(middle))
    z = (found.scores - middle) / deviation if spans else np.zeros(len(found.scores))
    return spread(found, z, rows, min(FLOOR, float(z.min())))
