"""JSON {query: {document: grade}}, the form that pytrec_eval and ranx use."""

from assay.columns import Format
from assay.columns.json_map import json_map as read

__all__ = ["json_map"]

json_map = Format(
    "{query: {document: grade}}",
    lambda head: head.lstrip()[:1] == b"{",
    lambda source: read(source, value="grade"),
    rank=1,
)
