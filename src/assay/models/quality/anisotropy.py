"""Anisotropy: whether all vectors point the same way (Ethayarajh 2019)."""

from assay.models.quality._shape import checked, quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["anisotropy"]

READING = Reading(
    watch=0.5,
    bad=0.85,
    meaning="Any two texts look alike to the model, so that right and wrong answers differ by "
    "little; take a model trained for retrieval.",
    reason="MiniLM and static vectors have .21 to .35 on prose and code; twice that is watched, "
    "and where random texts agree to .85, little is left to tell answers apart by.",
)


@quality(READING)
def anisotropy(vectors: Vectors) -> float:
    """Mean cosine of two vectors at random: 0 if they point everywhere, 1 if all point one way.

    >>> import numpy as np
    >>> anisotropy(np.eye(3, dtype=np.float32))
    0.0
    """
    unit = checked(vectors, least=2)
    # The mean over all pairs, not over some: |sum of x|^2 has every pair twice, and each square.
    total, count = unit.sum(axis=0), len(unit)
    return float((total @ total - count) / (count * (count - 1)))
