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
    meaning="A few chunks are among the nearest of very many others and come back for any query; "
    "look for boilerplate, licences and near-empty chunks, and leave them out.",
    reason="MiniLM and static vectors have 1.9 to 3.7 on prose and code; one vector that is near "
    "to all of n others gives the square root of n.",
)


@quality(READING)
def hubness(vectors: Vectors) -> float:
    """Skewness of how often a distinct vector is among the ten nearest of others: 0 if alike."""
    counts = occurrences(vectors).astype(np.float64)
    off = counts - counts.mean()
    spread = float(np.sqrt((off * off).mean()))
    return float((off**3).mean()) / spread**3 if spread > 0 else 0.0
