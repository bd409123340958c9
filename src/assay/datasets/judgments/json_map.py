"""JSON {query: {document: grade}}, the form that pytrec_eval and ranx use."""

from assay.columns import Format
from assay.columns.json_map import is_json
from assay.columns.json_map import json_map as read

__all__ = ["json_map"]

json_map = Format(
    "JSON {query: {document: grade}}",
    is_json,
    lambda source: read(source, value="grade"),
    rank=1,
)
