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
    meaning="The vectors are concentrated in a small part of the space, so texts are hard to "
    "separate. Use another model, or look for duplicates and boilerplate.",
    reason="minilm and static have -3.0 to -2.4 on prose and code. A mean cosine of 0.85, where "
    "anisotropy is bad, gives about -0.6.",
)


@quality(READING)
def uniformity(vectors: Vectors) -> float:
    """Log of the mean of exp(-2 |x - y|^2) over pairs: 0 if all are equal, -4 if spread evenly."""
    unit = checked(vectors, least=2)
    near = (np.exp(-4.0 * (1.0 - np.minimum(block, 1.0))).sum() for _, block in cosines(unit))
    total, count = float(sum(near)), len(unit)
    return math.log(max(total - count, 0.0) / (count * (count - 1)))  # without those with itself
