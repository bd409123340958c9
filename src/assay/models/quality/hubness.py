"""Hubness: whether few vectors are near to all others (Radovanovic et al. 2010)."""

import numpy as np

from assay.models.quality._occurrences import occurrences
from assay.models.quality._shape import quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["hubness"]

READING = Reading(
    watch=5.0,
    bad=10.0,
    meaning="A few chunks are near neighbours of very many others and are returned for many "
    "queries. Look for boilerplate, licences and near-empty chunks, and exclude them.",
    reason="minilm and static have 1.9 to 3.7 on prose and code. One vector that is near to all "
    "n others gives the square root of n.",
)


@quality(READING)
def hubness(vectors: Vectors) -> float:
    """Skewness of how often a vector is a 10-nearest neighbour: 0 if equally often for all."""
    counts = occurrences(vectors).astype(np.float64)
    off = counts - counts.mean()
    spread = float(np.sqrt((off * off).mean()))
    return float((off**3).mean()) / spread**3 if spread > 0 else 0.0
