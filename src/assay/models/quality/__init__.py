"""Vectors -> a number that tells how well they can be searched. One file per figure."""

from assay.models.quality._distinct import distinct
from assay.models.quality._occurrences import occurrences

__all__ = ["distinct", "occurrences"]
