"""JSON of the form {query: {document: number}} -> triples."""

import re

from assay.columns.mapping import mapping
from assay.columns.source import Source
from assay.columns.strict_json import strict_json
from assay.columns.triples import Triples
from assay.errors import InputError

__all__ = ["is_json", "json_map"]

# A list holds no run, but is better refused as JSON; "[q1] Q0 ..." is a line of a TREC file.
BEGINNING = re.compile(rb'\s*(?:\{|\[\s*(?:[\[{"\]]|-?\d[\d.eE+-]*\s*,))')


def is_json(head: bytes) -> bool:
    """Say whether the first bytes are those of a JSON object or list."""
    return bool(BEGINNING.match(head))


def json_map(source: Source, *, value: str) -> Triples:
    """Read the form that pytrec_eval and ranx write; keys that stand twice are refused."""
    table = strict_json(source.read_all(), where=source.name, finite=False)
    if not isinstance(table, dict):
        hint = "the form is {query: {document: number}}"
        raise InputError("holds no {query: {document: number}}", where=source.name, hint=hint)
    return mapping(table, where=source.name, value=value)
