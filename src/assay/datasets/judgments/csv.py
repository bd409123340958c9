"""CSV with titles for query, document and grade."""

from assay.columns import Format
from assay.datasets.judgments._sheet import sheet
from assay.datasets.sheets.columns import separator

__all__ = ["csv"]

csv = Format(
    "CSV with the columns query, document, grade (commas or semicolons)",
    lambda head: separator(head) in (",", ";"),
    lambda source: sheet(source, (",", ";")),
    rank=3,
)
