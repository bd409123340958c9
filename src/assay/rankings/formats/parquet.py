"""Parquet with columns for query, document and score."""

from assay.columns import Format
from assay.columns.tables import parquet as read
from assay.columns.titles import DOCUMENT, QUERY, SCORE

__all__ = ["parquet"]

parquet = Format(
    "Parquet with the columns query, document, score",
    lambda head: head[:4] == b"PAR1",
    lambda source: read(source, (QUERY, DOCUMENT, SCORE), value="score", of_run=True),
    rank=0,
)
