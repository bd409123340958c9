"""RRF: reciprocal rank fusion, which ignores scores (Cormack et al. 2009)."""

from collections.abc import Sequence

import numpy as np

from assay.engines.fusions._columns import spread
from assay.engines.fusions._shape import Fusion, check_lists, check_weights, weighted
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints

__all__ = ["rrf"]


def rrf(*, k: int = 60, weights: Sequence[float] | None = None) -> Fusion:
    """Reciprocal rank fusion: sum of weight / (k + rank) over the lists that contain the document.

    Documents with equal scores do not share a rank: the order of the list decides. The maximum,
    for a document ranked first in every list, is the sum of the weights / (k + 1).
    """
    if k < 0:
        hint = "expected a whole number >= 0; the usual value is 60"
        raise InputError(f"invalid value {k}", where="rrf_k", hint=hint)
    given = None if weights is None else check_weights(weights, "rrf")

    def column(found: FoundRows, rows: Ints) -> Floats:
        return spread(found, 1.0 / (k + np.arange(1, len(found.rows) + 1)), rows, 0.0)

    def fuse(found: Sequence[FoundRows]) -> FoundRows:
        each = given or (1.0,) * len(found)
        check_lists(found, each, "rrf")
        return weighted(found, each, column, kind="rrf", best=sum(each) / (k + 1))

    return Fusion("rrf", "rrf", (("k", k), ("weights", given)), fuse, scored=False, column=column)
