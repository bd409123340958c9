"""Parquet with columns for query, document and score."""

from assay.columns import Format
from assay.columns.header import DOCUMENT, QUERY, SCORE
from assay.columns.tables import parquet as read

__all__ = ["parquet"]

parquet = Format(
    "columns query, document, score",
    lambda head: head[:4] == b"PAR1",
    lambda source: read(source, (QUERY, DOCUMENT, SCORE), value="score"),
    rank=0,
)
