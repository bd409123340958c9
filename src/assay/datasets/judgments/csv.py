"""CSV with titles for query, document and grade."""

from assay.columns import Format
from assay.columns.header import separator
from assay.columns.tables import csv as read
from assay.columns.titles import DOCUMENT, GRADE, QUERY

__all__ = ["csv"]

csv = Format(
    "titles query, document, grade; commas or semicolons",
    lambda head: bool(separator(head, (",", ";"))),
    lambda source: read(source, (QUERY, DOCUMENT, GRADE), value="grade"),
    rank=3,
)
