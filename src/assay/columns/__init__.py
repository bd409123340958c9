"""Bytes -> columns of arrays, each row with the place that an error message names."""

from assay.columns.delimited import delimited
from assay.columns.files.source import Source
from assay.columns.format import Format, read, recognise
from assay.columns.mapping import mapping
from assay.columns.triples import Triples

__all__ = ["Format", "Source", "Triples", "delimited", "mapping", "read", "recognise"]
