"""Min-max: bring the scores of each list to 0..1 for this query, and add them up by weight."""

from collections.abc import Sequence

import numpy as np

from assay.engines.fusions._columns import spread
from assay.engines.fusions._shape import Fusion, check_lists, check_weights, weighted
from assay.records import Floats, FoundRows, Ints

__all__ = ["min_max"]


def min_max(*, weights: Sequence[float] = (0.4, 0.6)) -> Fusion:
    """Rescale each list so that its best is 1 and its worst 0; what a list lacks has 0 there.

    Convex combination after min-max scaling: Bruch, Gai and Ingber, "An Analysis of Fusion
    Functions for Hybrid Retrieval" (2023). In a list of equal scores all are its best. No
    threshold can be applied after it: the best of a list is 1 whatever was asked.
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
