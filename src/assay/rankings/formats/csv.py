"""CSV with titles for query, document and score."""

from assay.columns import Format
from assay.columns.header import separator
from assay.columns.tables import csv as read
from assay.columns.titles import DOCUMENT, QUERY, SCORE

__all__ = ["csv"]

csv = Format(
    "CSV with the columns query, document, score (commas or semicolons)",
    lambda head: bool(separator(head, (",", ";"))),
    lambda source: read(source, (QUERY, DOCUMENT, SCORE), value="score", of_run=True),
    rank=3,
)
