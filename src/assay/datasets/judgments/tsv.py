"""Tab-separated lines below a line of titles, as BEIR has them."""

from assay.columns import Format
from assay.datasets.judgments._sheet import sheet
from assay.datasets.sheets.columns import separator

__all__ = ["tsv"]

tsv = Format(
    "TSV with the columns query-id, corpus-id, score",
    lambda head: separator(head) == "\t",
    lambda source: sheet(source, ("\t",)),
    rank=2,
)
