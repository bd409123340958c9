"""JSON of the form {query: {document: number}} -> triples."""

import json
import re

from assay.columns.documents.strict_json import strict_json
from assay.columns.files.source import Source
from assay.columns.header import shown
from assay.columns.mapping import mapping
from assay.columns.titles import QUERY, plain_titles
from assay.columns.triples import Triples
from assay.errors import InputError
from assay.text.near_miss import near_miss

__all__ = ["is_json", "json_map", "refuse_lines"]

# A list holds no run, but is better refused as JSON; "[q1] Q0 ..." is a line of a TREC file.
BEGINNING = re.compile(rb'\s*(?:\{|\[\s*(?:[\[{"\]]|-?\d[\d.eE+-]*\s*,))')


LIST = re.compile(rb"\s*\[\s*\{")
KEYS = {"grade": ("id", "query", "relevant", "query_id", "doc_id", "grade"), "score": ()}
LINES = {
    "grade": 'write each line as {"query": "...", "relevant": {"doc1": 3}} or'
    ' {"query_id": "q1", "doc_id": "doc1", "grade": 3}',
    "score": "write one object {query: {document: score}}, or CSV with query_id,doc_id,score",
}


def refuse_lines(head: bytes, *, where: str, value: str) -> None:
    """Raise for lines of JSON that no format knows, with their keys and what may be meant."""
    keys = _line_keys(head)
    if not keys:
        return _refuse_list(head, where=where, value=value)
    known = KEYS[value]
    odd = [key for key in keys if key not in known]
    close = [*filter(None, (near_miss(key, known, alike=0.8) for key in odd))]
    guess = f'did you mean "{close[0]}"? ' if close else ""
    problem = f"contains JSON lines with the keys {shown(keys)}, which no known format uses"
    raise InputError(problem, where=where, hint=f"{guess}{LINES[value]}")


def _refuse_list(head: bytes, *, where: str, value: str) -> None:
    """Raise for a list of objects, which is read only as one object per line."""
    if not LIST.match(head):
        return
    keys = _entry_keys(head)
    problem, hint = "is a JSON list of objects, which is not a known format", LINES[value]
    if value == "grade" and keys and not {*plain_titles(keys)} & {*plain_titles(QUERY)}:
        problem = f"is a JSON list with the keys {shown(keys)}, which no known format uses"
        hint = 'write each object as {"question": "...", "file": "a.md"}'
    elif value == "grade":
        hint = "write one object per line, e.g. jq -c '.[]' rows.json > rows.jsonl"
    raise InputError(problem, where=where, hint=hint)


def _entry_keys(head: bytes) -> list[str]:
    """Return the keys of the first object of a list, if the first bytes hold all of it."""
    text = head.decode("utf-8", "replace")
    try:
        found, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
    except (ValueError, RecursionError):
        return []
    return list(found)


def _line_keys(head: bytes) -> list[str]:
    r"""Return the keys of the first line, if it is an object and another line begins one.

    >>> _line_keys(b'{"a": 1, "b": 2}\n{"a": 3}')
    ['a', 'b']
    """
    first, _, rest = head.strip().partition(b"\n")
    if not rest.lstrip().startswith(b"{"):
        return []
    try:
        found = json.loads(first)
    except (ValueError, RecursionError):
        return []
    return list(found) if isinstance(found, dict) else []


def is_json(head: bytes) -> bool:
    """Say whether the first bytes are those of a JSON object or list."""
    return bool(BEGINNING.match(head))


def json_map(source: Source, *, value: str) -> Triples:
    """Read the form that pytrec_eval and ranx write; duplicate keys are refused."""
    refuse_lines(source.head(), where=source.name, value=value)
    table = strict_json(source.read_all(), where=source.name, finite=False)
    if not isinstance(table, dict):
        hint = "expected {query: {document: number}}"
        raise InputError("is not a JSON object", where=source.name, hint=hint)
    return mapping(table, where=source.name, value=value)
