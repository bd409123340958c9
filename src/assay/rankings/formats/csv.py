"""CSV with titles for query, document and score."""

from assay.columns import Format
from assay.columns.header import DOCUMENT, QUERY, SCORE, has_header
from assay.columns.tables import csv as read

__all__ = ["csv"]

csv = Format(
    "titles query, document, score; commas",
    lambda head: has_header(head, ","),
    lambda source: read(source, (QUERY, DOCUMENT, SCORE), value="score"),
    rank=3,
)
