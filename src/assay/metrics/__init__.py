"""Judged rankings -> a number per query. One file per metric; the file name is its name."""

from assay.metrics._grammar import parse, parse_all, primary_of
from assay.metrics._shape import metric

__all__ = ["metric", "parse", "parse_all", "primary_of"]
