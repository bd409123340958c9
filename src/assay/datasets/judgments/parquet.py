"""Parquet with columns for query, document and grade."""

from assay.columns import Format
from assay.columns.tables import parquet as read
from assay.columns.titles import DOCUMENT, GRADE, QUERY

__all__ = ["parquet"]

parquet = Format(
    "Parquet with the columns query, document, grade",
    lambda head: head[:4] == b"PAR1",
    lambda source: read(source, (QUERY, DOCUMENT, GRADE), value="grade"),
    rank=0,
)
