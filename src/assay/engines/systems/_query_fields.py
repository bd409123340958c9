"""Fields of a query, such as language or filters -> what a request or a function is given of it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from assay.engines.systems._path import NOTHING, Path
from assay.errors import InputError

__all__ = ["Lookup", "check_field", "field_text", "field_value", "fields_of"]

HINT = "e.g. {query.language}, {query.filters.price}, {query.tags[0]}"
Lookup = Callable[[str], Any]


def fields_of(variables: Mapping[str, Any]) -> Lookup:
    """Look up fields by their paths, such as ``filters.price``; NOTHING where there is none."""
    return lambda written: check_field(written).value(variables)


def check_field(written: str) -> Path:
    """Read the path of a field: it begins with a name, and leads to one value."""
    path = Path.of(written, where=f"{{query.{written}}}")
    if path.many or path.optional or not path.steps or not isinstance(path.steps[0], str):
        raise InputError("invalid field of a query", where=f"{{query.{written}}}", hint=HINT)
    return path


def field_value(field: str, default: str | None, lookup: Lookup) -> Any:  # noqa: ANN401
    """Return the value of a field, or its default: a text, unless it is JSON.

    >>> field_value("tags", "[]", fields_of({})), field_value("language", "en", fields_of({}))
    ([], 'en')
    """
    value = lookup(field)
    if value is not NOTHING:
        return value
    if default is None:
        hint = f"add it to this query in the dataset, or write {{query.{field}:-DEFAULT}}"
        raise InputError(f'the query has no field "{field}"', hint=hint)
    try:
        return json.loads(default)
    except ValueError:
        return default


def field_text(value: object, field: str) -> str:
    """Write a value as a part of a text, which a structure and null cannot be."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    what = "null" if value is None else "a list" if isinstance(value, list) else "a mapping"
    hint = f'let it be the whole value: "{{query.{field}}}"'
    raise InputError(f'the field "{field}" is {what}, which cannot be part of a text', hint=hint)
