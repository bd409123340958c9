"""Min-max: a weighted sum of scores that are scaled to 0..1 per list and query."""

from collections.abc import Sequence

import numpy as np

from assay.engines.fusions._columns import spread
from assay.engines.fusions._shape import Fusion, check_lists, check_weights, weighted
from assay.records import Floats, FoundRows, Ints

__all__ = ["min_max"]


def min_max(*, weights: Sequence[float] = (0.4, 0.6)) -> Fusion:
    """Weighted sum of scores scaled to 0..1 per list; a document missing from a list scores 0.

    Convex combination after min-max scaling: Bruch, Gai and Ingber, "An Analysis of Fusion
    Functions for Hybrid Retrieval" (2023). In a list of equal scores, all are 1. A threshold
    cannot be applied to the result: the best score of a list is 1 for every query.
    """
    given = check_weights(weights, "min_max")

    def fuse(found: Sequence[FoundRows]) -> FoundRows:
        check_lists(found, given, "min_max")
        return weighted(found, given, _column, kind="min_max", best=sum(given))

    return Fusion("min_max", "min_max", (("weights", given),), fuse, column=_column)


def _column(found: FoundRows, rows: Ints) -> Floats:
    low = found.scores.min(initial=np.inf)
    high = found.scores.max(initial=-np.inf)
    scaled = (found.scores - low) / (high - low) if high > low else np.ones(len(found.scores))
    return spread(found, scaled, rows, 0.0)
