"""Antihubs: vectors that are near to nobody (Radovanovic et al. 2010)."""

from assay.models.quality._occurrences import occurrences
from assay.models.quality._shape import quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["antihubs"]

READING = Reading(
    watch=0.2,
    bad=0.4,
    meaning="This share of the chunks is among the ten nearest of no other chunk: meaning alone "
    "hardly finds them; search by words as well (hybrid).",
    reason="MiniLM and static vectors have .02 to .05 on prose and code.",
)


@quality(READING)
def antihubs(vectors: Vectors) -> float:
    """Share of the distinct vectors that are among the ten nearest of no other."""
    return float((occurrences(vectors) == 0).mean())
