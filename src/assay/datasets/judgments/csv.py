"""CSV with titles for query, document and grade."""

from assay.columns import Format
from assay.columns.header import DOCUMENT, GRADE, QUERY, has_header
from assay.columns.tables import csv as read

__all__ = ["csv"]

csv = Format(
    "titles query, document, grade; commas",
    lambda head: has_header(head, ","),
    lambda source: read(source, (QUERY, DOCUMENT, GRADE), value="grade"),
    rank=3,
)
