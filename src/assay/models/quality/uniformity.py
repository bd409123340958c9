"""Uniformity: how evenly the vectors lie on the sphere (Wang and Isola 2020)."""

import math

import numpy as np

from assay.models.quality._cosines import cosines
from assay.models.quality._shape import checked, quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["uniformity"]

READING = Reading(
    watch=-1.5,
    bad=-0.6,
    meaning="The vectors crowd in a part of the sphere and keep little of what tells texts apart; "
    "take another model, or look for duplicates and boilerplate.",
    reason="MiniLM and static vectors have -3.0 to -2.4 on prose and code; a mean cosine of .85, "
    "where anisotropy is bad, gives about -.6.",
)


@quality(READING)
def uniformity(vectors: Vectors) -> float:
    """Logarithm of the mean of exp(-2 |x - y|^2) over pairs: 0 if all are one, -4 if spread out."""
    unit = checked(vectors, least=2)
    near = (np.exp(-4.0 * (1.0 - np.minimum(block, 1.0))).sum() for _, block in cosines(unit))
    total, count = float(sum(near)), len(unit)
    return math.log(max(total - count, 0.0) / (count * (count - 1)))  # without those with itself
