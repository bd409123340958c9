"""Texts and structures with places in them for a query -> what is sent for one query."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.engines.systems._query_fields import (
    Lookup,
    check_field,
    field_text,
    field_value,
    fields_of,
)
from assay.errors import InputError
from assay.text import keep_secret

__all__ = [
    "Places",
    "check_places",
    "fill",
    "literal",
    "missing",
    "named",
    "needed",
    "shown",
    "values",
]

# One pattern for all, so that a text is gone through once: nothing that was put in is read again.
PLACE = re.compile(
    r"\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^{}]*))?\}"
    r"|\{(?P<place>query|top|id|vector)\}"
    r"|\{query(?:\.|(?=\[))(?P<field>[^{}:]+)(?::-(?P<preset>(?:[^{}]|\{[^{}]*\})*))?\}"
)
BROKEN = re.compile(r"\{query(?:\.|\[|:-)[^}]*\}?")  # begins as a place does
NOT_A_PLACE = re.compile(r"\{[A-Za-z_]\w*\}")


@dataclass(frozen=True, slots=True)
class Places:
    """What goes into the places of one query; ``environment`` is the same for all of them.

    ``field`` returns the value of a field of the query by its path, or NOTHING.
    """

    environment: Mapping[str, str]
    query: str = ""
    top: int = 0
    id: str = ""
    vector: list[float] | None = None
    field: Lookup = fields_of({})  # noqa: RUF009 - a function


def fill(template: Any, places: Places, *, write: Callable[[str], str] = str) -> Any:  # noqa: ANN401
    """Fill the places of a text or of a structure of texts; keys of mappings stay as they are.

    A text that is nothing but {top}, {vector} or {query.FIELD} becomes the value itself: a number,
    a list, a mapping. ``write`` writes the texts of a query as the place needs them (in an address:
    encoded).

    >>> fill({"size": "{top}", "text": "a {query}"}, Places({}, query="{top}", top=5))
    {'size': 5, 'text': 'a {top}'}
    >>> fill(["{query.price}", "is {query.lang:-en}"], Places({}, field=fields_of({"price": [9]})))
    [[9], 'is en']
    """
    if isinstance(template, Mapping):
        return {key: fill(one, places, write=write) for key, one in template.items()}
    if isinstance(template, list | tuple):
        return [fill(one, places, write=write) for one in template]
    if not isinstance(template, str):
        return template
    alone = {"{top}": places.top, "{vector}": places.vector}
    if template in alone:
        return alone[template]
    if (whole := PLACE.fullmatch(template)) and whole["field"]:
        return _value(whole, places)
    return PLACE.sub(lambda found: _put(found, places, write), template)


def _put(found: re.Match[str], places: Places, write: Callable[[str], str]) -> str:
    name, field = found["name"], found["field"]
    if name:
        value = places.environment.get(name)
        return value if value is not None else found["default"]
    if field:
        return write(field_text(_value(found, places), field))
    return write(str(getattr(places, found["place"])))


def _value(found: re.Match[str], places: Places) -> Any:  # noqa: ANN401
    return field_value(found["field"], found["preset"], places.field)


def named(template: object) -> set[str]:
    """Name the places that a template has: query, top, id, vector, query.FIELD."""
    fields = {f"query.{found['field']}" for found in _places(template) if found["field"]}
    return {found["place"] for found in _places(template) if found["place"]} | fields


def needed(template: object) -> set[str]:
    """Name the fields of a query that a template has no default for."""
    every = [found for found in _places(template) if found["field"]]
    return {found["field"] for found in every if found["preset"] is None}


def check_places(template: object, *, whole: bool) -> None:
    """Refuse an invalid field, a place in a key, and what looks like a place but is none.

    In texts that may hold braces of their own, only a ``whole`` text can look like one.
    """
    for found in filter(None, map(PLACE.search, _keys(template))):
        hint = "keys are sent as they are: put it into a value"
        raise InputError(f"{found[0]} is in a key", hint=hint)
    for found in _places(template):
        if found["field"]:
            check_field(found["field"])
    for text in _texts(template):
        if broken := BROKEN.search(PLACE.sub("", text)):
            hint = "e.g. {query}, {query.language:-en}, {query.filters:-{}}"
            raise InputError(f"invalid place {broken[0]}", hint=hint)
        odd = NOT_A_PLACE.fullmatch(text) if whole else NOT_A_PLACE.search(PLACE.sub("", text))
        if odd and not PLACE.fullmatch(odd[0]):
            hint = "places are {query}, {top}, {id}, {vector} and, for a field of the query, "
            hint += f"{{query.{odd[0].strip('{}')}}}"
            raise InputError(f"unknown place {odd[0]}", hint=hint)


def values(*templates: object) -> dict[str, str]:
    """Look up the variables of the environment that templates name; a set but empty one is none."""
    wanted = {found["name"] for one in templates for found in _places(one) if found["name"]}
    found = {name: os.environ[name] for name in sorted(wanted) if os.environ.get(name)}
    for name, value in found.items():
        keep_secret(name, value)
    return found


def missing(template: object, environment: Mapping[str, str]) -> InputError | None:
    """Refuse a variable that is not set and has no default."""
    for found in _places(template):
        name = found["name"]
        if name and name not in environment and found["default"] is None:
            hint = f"set it before the run: export {name}=..."
            return InputError(f"the environment variable {name} is not set", hint=hint)
    return None


def shown(template: str, environment: Mapping[str, str]) -> str:
    """Write a text as a message may have it: defaults are put in, what is set stays a name."""

    def write(found: re.Match[str]) -> str:
        name, default = found["name"], found["default"]
        if not name:
            return found[0]
        return f"${{{name}}}" if name in environment or default is None else default

    return PLACE.sub(write, template)


def literal(template: str, *, mark: str = "") -> str:
    """Leave what a text itself says, defaults too, with a mark where each of its places was.

    >>> literal("Bearer ${KEY:-none}, {query}")
    'Bearer none, '
    """
    return PLACE.sub(lambda found: mark + (found["default"] or found["preset"] or ""), template)


def _places(template: object) -> Iterator[re.Match[str]]:
    for text in _texts(template):
        yield from PLACE.finditer(text)


def _keys(template: object) -> Iterator[str]:
    if isinstance(template, Mapping):
        yield from map(str, template)
        template = list(template.values())
    if isinstance(template, list | tuple):
        for one in template:
            yield from _keys(one)


def _texts(template: object) -> Iterator[str]:
    if isinstance(template, Mapping):
        template = list(template.values())
    if isinstance(template, list | tuple):
        for one in template:
            yield from _texts(one)
    elif isinstance(template, str):
        yield template
