"""Effective dimension: how many directions the vectors really use."""

import numpy as np

from assay.models.quality._shape import checked, quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["effective_dimension"]

ROUNDING = 1e-12  # squared distance from the mean that equal vectors may have, as float32
READING = Reading(
    watch=20.0,
    bad=10.0,
    meaning="The vectors vary in too few directions to separate many texts. Use another model, "
    "or check whether the texts are too similar (one template, duplicates).",
    reason="minilm and static have 42 to 70 on prose and code.",
)


@quality(READING)
def effective_dimension(vectors: Vectors) -> float:
    """Participation ratio of the covariance eigenvalues: the number of directions in use.

    (sum of the eigenvalues)^2 / sum of their squares: Gao et al. 2017, after Abbott et al. 2011.
    Equal vectors vary in no direction: 0.
    """
    unit = checked(vectors, least=2)
    off = unit - unit.mean(axis=0)
    covariance = off.T @ off
    # Both sums without any eigenvalue: the trace, and that of the square.
    total, squares = float(np.trace(covariance)), float((covariance * covariance).sum())
    return total**2 / squares if total > ROUNDING * len(unit) else 0.0
