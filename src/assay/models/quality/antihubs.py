"""Antihubs: vectors that are near to nobody (Radovanovic et al. 2010)."""

from assay.models.quality._occurrences import occurrences
from assay.models.quality._shape import quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["antihubs"]

READING = Reading(
    watch=0.2,
    bad=0.4,
    meaning="This fraction of the chunks is not among the 10 nearest neighbours of any other "
    "chunk: dense search rarely finds them. Use hybrid search.",
    reason="minilm and static have 0.02 to 0.05 on prose and code.",
)


@quality(READING)
def antihubs(vectors: Vectors) -> float:
    """Fraction of distinct vectors that are not a 10-nearest neighbour of any other vector."""
    return float((occurrences(vectors) == 0).mean())
