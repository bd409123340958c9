"""Tab-separated lines below a line of titles, as BEIR has them."""

from assay.columns import Format
from assay.columns.header import has_header
from assay.columns.tables import tsv as read
from assay.columns.titles import DOCUMENT, QUERY, SCORE

__all__ = ["tsv"]

tsv = Format(
    "TSV with the columns query-id, corpus-id, score",
    lambda head: has_header(head, "\t"),
    lambda source: read(source, (QUERY, DOCUMENT, SCORE), value="score", of_run=True),
    rank=2,
)
