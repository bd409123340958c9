"""JSON of a Quepid case: queries with their text, and a rating for each rated document."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._rated_queries import RatedQueries
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.records import Dataset, Rationale

__all__ = ["quepid_case"]

FIRST_QUERY = re.compile(rb'\{\s*"queries"\s*:\s*\[\s*(?=\{)')
TEXTS = ("query_text", "query")
KEPT = ("information_need", "notes", "options")
RATING = {"type": ["number", "string", "null"]}


@cache
def _schema() -> Schema:
    rating = record({"doc_id": NAME, "rating": RATING}, "doc_id", "rating")
    ratings = {"type": ["array", "object", "null"], "items": rating, "additionalProperties": RATING}
    query = record({**dict.fromkeys(TEXTS, TEXT), "ratings": ratings}, TEXTS)
    return Schema(
        record({"case_name": TEXT, "queries": {"type": "array", "items": query}}, "queries")
    )


def _matches(place: Place) -> bool:
    head = place.head.lstrip()
    if place.is_folder or not head.startswith(b"{"):
        return False
    if "case_name" in first_keys(head):
        return True
    bare = FIRST_QUERY.match(head)
    return bare is not None and {"query", "ratings"} <= set(first_keys(head[bare.end() :]))


def _load(place: Place, limits: Limits) -> Dataset:
    value = strict_json(place.read(), where=place.name)
    problems = Problems(place.name)
    problems.check(_schema(), value)
    problems.refuse()
    rated = RatedQueries(problems)
    for number, entry in enumerate(value["queries"]):
        at = f"queries[{number}]"
        text = entry.get("query_text", entry.get("query"))
        key = rated.query(
            text, at=at, extra={name: entry[name] for name in KEPT if entry.get(name)}
        )
        for document, rating, because in _ratings(entry.get("ratings") or {}):
            rated.rate(key, document, rating, at=at, because=because)
    return rated.dataset(place, name=value.get("case_name", ""))


def _ratings(
    given: list[dict[str, Any]] | dict[str, Any],
) -> Iterator[tuple[str, object, Rationale | None]]:
    """Yield document, rating and judge of either form: a list of records, or a mapping."""
    if isinstance(given, dict):
        yield from ((name, rating, None) for name, rating in given.items())
        return
    for one in given:
        judge = str(one.get("user_email") or "")
        yield str(one["doc_id"]), one["rating"], Rationale(judge=judge) if judge else None


quepid_case = read_only("Quepid case (JSON): queries and ratings", -1, _matches, _load)
