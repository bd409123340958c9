"""JSON of the form {query: {document: number}} -> triples."""

import json
import re
from typing import Any

from assay.columns.mapping import mapping
from assay.columns.source import Source
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

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(items)
        if len(table) < len(items):
            seen: set[str] = set()
            twice = next(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            hint = "keep one of the two"
            raise InputError(f'the key "{twice}" stands twice', where=source.name, hint=hint)
        return table

    def refuse(constant: str) -> float:
        hint = "give each document a finite number"
        raise InputError(f"{value} {constant} is not finite", where=source.name, hint=hint)

    try:
        table = json.loads(source.read_all(), object_pairs_hook=pairs, parse_constant=refuse)
    except json.JSONDecodeError as error:
        where = f"{source.name}, line {error.lineno}"
        raise InputError(f"not valid JSON ({error.msg})", where=where, hint=_SHAPE) from None
    except (RecursionError, ValueError):  # too deep, not UTF-8, or a number of 4,301 digits
        raise InputError("not valid JSON", where=source.name, hint=_SHAPE) from None
    if not isinstance(table, dict):
        raise InputError("holds no {query: {document: number}}", where=source.name, hint=_SHAPE)
    return mapping(table, where=source.name, value=value)


_SHAPE = "the form is {query: {document: number}}"
