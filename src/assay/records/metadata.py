"""Metadata of a document: the further fields of its file, within bounds."""

import math
from collections.abc import Collection, Iterator, Mapping
from datetime import date, time
from pathlib import PurePosixPath
from typing import Any

__all__ = ["bounded_metadata", "document_fields", "further_fields", "is_metadata_name"]

METADATA = "metadata"  # the key under which records have further fields, as in BEIR

MOST_FIELDS = 64
LONGEST_NAME = 100  # characters
LONGEST_TEXT = 1000  # characters of a value
MOST_ITEMS = 50  # values of a list
MOST_CHARACTERS = 16_384  # of all fields together
DEEPEST = 4  # objects inside of each other
LARGEST = 1 << 63


def bounded_metadata(given: object) -> dict[str, Any]:
    """Return the fields that can be compared: texts, numbers, true, false, and lists of them.

    An object inside of another becomes fields with dots in their names. What is empty, has no value
    to compare or is longer than the bounds is left out, so that no file can make an index large.

    >>> bounded_metadata({"year": 2020, "product": {"name": "pump"}, "tags": ["a", None, "b"]})
    {'year': 2020, 'product.name': 'pump', 'tags': ['a', 'b']}
    """
    kept: dict[str, Any] = {}
    left = MOST_CHARACTERS
    for name, value in _fields(given, "", DEEPEST):
        found = _value(value)
        left -= len(name) + (0 if found is None else len(str(found)))
        if left < 0 or len(kept) == MOST_FIELDS:
            break
        if found is not None and is_metadata_name(name):
            kept[name] = found
    return kept


def further_fields(record: Mapping[str, Any], taken: Collection[str]) -> dict[str, Any]:
    """Return the fields of a record besides those ``taken``, with those of its ``metadata``.

    >>> further_fields({"id": "d1", "year": 2020, "metadata": {"language": "de"}}, ("id",))
    {'year': 2020, 'language': 'de'}
    """
    rest = {key: value for key, value in record.items() if key not in taken and key != METADATA}
    own = record.get(METADATA)
    return bounded_metadata({**rest, **(own if isinstance(own, Mapping) else {})})


def document_fields(
    metadata: Mapping[str, Any], *, path: str, title: str, language: str
) -> dict[str, Any]:
    """Return all fields of a document that filters can name; its own metadata come first.

    >>> document_fields({"language": "de"}, path="a/B.MD", title="", language="markdown")
    {'path': 'a/B.MD', 'file_type': 'md', 'language': 'de'}
    """
    ending = PurePosixPath(path).suffix.lower().removeprefix(".")
    known = {"path": path, "file_type": ending, "title": title, "language": language}
    return {name: value for name, value in known.items() if value} | dict(metadata)


def is_metadata_name(name: str) -> bool:
    """Tell whether a field can have this name: printable, not too long, and not blank."""
    return bool(name.strip()) and name.isprintable() and len(name) <= LONGEST_NAME


def _fields(given: object, above: str, deepest: int) -> Iterator[tuple[str, object]]:
    if not isinstance(given, Mapping) or not deepest:
        return
    for key, value in given.items():
        name = f"{above}{key}" if len(str(key)) <= LONGEST_NAME else ""
        if isinstance(value, Mapping):
            yield from _fields(value, f"{name}.", deepest - 1)
        else:
            yield name, value


def _value(value: object) -> object:
    """Return a value that can be compared and written as JSON, or None."""
    if isinstance(value, list | tuple):
        few = value if len(value) <= MOST_ITEMS else ()  # a vector tells nobody anything
        return [one for item in few if (one := _scalar(item)) is not None] or None
    return _scalar(value)


def _scalar(value: object) -> str | int | float | None:
    if isinstance(value, str):
        short = len(value) <= LONGEST_TEXT
        return (value.encode("utf-8", "replace").decode() or None) if short else None
    if isinstance(value, int):  # also true and false
        return value if -LARGEST <= value < LARGEST else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value.isoformat() if isinstance(value, date | time) else None
