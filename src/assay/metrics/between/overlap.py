"""Overlap: how many of the shown documents two runs share (Jaccard)."""

from collections.abc import Sequence

import numpy as np

from assay.metrics.between._common import common
from assay.records import PerQuery, Rankings

__all__ = ["overlap"]


def overlap(
    left: Rankings, right: Rankings, k: int = 10, *, queries: Sequence[str] | None = None
) -> PerQuery:
    """Divide the documents in both top k by those in either; two empty rankings agree."""
    shared = common(left, right, k, queries)
    both = np.bincount(shared.query, minlength=len(shared.queries))
    either = shared.left_shown + shared.right_shown - both
    return np.where(either > 0, both / np.maximum(either, 1), 1.0)
