"""What a record says of a query beyond its key, text and judgments, and back into a record."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from assay.columns.titles import TITLES
from assay.datasets.sheets.query_weights import without_weight
from assay.records import Query

__all__ = ["FIELDS", "REPOSITORY", "beyond", "kept", "number_of", "repository_of", "said"]

FIELDS = ("category", "difficulty", "collection")
REPOSITORY = TITLES["collection"][1:]  # what people call the collection of code


def said(record: Mapping[str, Any], taken: Collection[str]) -> dict[str, Any]:
    """Return the fields of a query that a record gives; what has no field is its extra.

    A repository is the collection, unless one is given, and remains a field of its own name.
    """
    rest = {key: value for key, value in record.items() if key not in taken}
    fields = {key: str(rest.pop(key)) for key in FIELDS if _fills(rest.get(key))}
    return {"collection": repository_of(rest), **fields, "extra": rest}


def repository_of(record: Mapping[str, Any]) -> str:
    """Return the repository that a record names; nothing if there is none."""
    return next((str(record[key]) for key in REPOSITORY if _fills(record.get(key))), "")


def beyond(query: Query) -> dict[str, Any]:
    """Return the same as keys of a record."""
    fields = {key: getattr(query, key) for key in FIELDS if getattr(query, key)}
    weight = {"weight": number_of(query.weight)} if query.weight != 1 else {}
    return {**query.extra, **fields, **weight}


def kept(query: Query, taken: Collection[str]) -> Query:
    """Leave out of ``extra`` what would be read back as something else."""
    lost = {key for key in query.extra if key in taken}
    lost |= query.extra.keys() - without_weight(query.extra).keys()
    lost |= {key for key in FIELDS if getattr(query, key) or _fills(query.extra.get(key))}
    lost |= set() if query.collection else {*REPOSITORY}
    if lost.isdisjoint(query.extra):
        return query
    extra = {key: value for key, value in query.extra.items() if key not in lost}
    return replace(query, extra=extra)


def number_of(weight: float) -> int | float:
    """Return a weight as a file has it: a count without a decimal point."""
    return int(weight) if weight.is_integer() and weight < 1e15 else weight


def _fills(value: object) -> bool:
    """Tell whether a value can be a field: people write a difficulty as a number, too."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return False
    return bool(str(value))
