"""Anisotropy: whether all vectors point the same way (Ethayarajh 2019)."""

from assay.models.quality._shape import checked, quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["anisotropy"]

READING = Reading(
    watch=0.5,
    bad=0.85,
    meaning="All texts are similar to the model, so relevant and irrelevant documents get nearly "
    "the same score. Use a model that was trained for retrieval.",
    reason="minilm and static have 0.21 to 0.35 on prose and code. A warning starts at 0.5; at "
    "0.85, random texts are so similar that scores hardly separate documents.",
)


@quality(READING)
def anisotropy(vectors: Vectors) -> float:
    """Mean cosine of random pairs: 0 if vectors point in all directions, 1 if in the same one.

    >>> import numpy as np
    >>> anisotropy(np.eye(3, dtype=np.float32))
    0.0
    """
    unit = checked(vectors, least=2)
    # The mean over all pairs, not over some: |sum of x|^2 has every pair twice, and each square.
    total, count = unit.sum(axis=0), len(unit)
    return float((total @ total - count) / (count * (count - 1)))
