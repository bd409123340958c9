"""JSON of an Elasticsearch _rank_eval request: rated documents for each search request."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._rated_queries import RatedQueries
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._schemas import NAME, record
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.records import Dataset
from assay.text.count_noun import count_noun

__all__ = ["rank_eval"]

MATCHES = ("match", "match_phrase", "match_bool_prefix", "match_phrase_prefix")
TEXTS = ("query", "model_text", "query_text", "inference_text")
PARAMETERS = ("query", "query_string", "query_text", "search", "search_text", "text", "q")


@cache
def _schema() -> Schema:
    rating = record(
        {"_id": NAME, "_index": NAME, "rating": {"type": ["number", "string"]}}, "_id", "rating"
    )
    mapping = {"type": "object"}
    request = record(
        {
            "id": NAME,
            "request": mapping,
            "params": mapping,
            "ratings": {"type": "array", "items": rating},
        },
        "id",
        "ratings",
        ("request", "template_id"),
    )
    return Schema(record({"requests": {"type": "array", "items": request}}, "requests"))


def _matches(place: Place) -> bool:
    head = place.head.lstrip()
    keys = first_keys(head) if head.startswith(b"{") else []
    return "requests" in keys and not {"name", "schema_version"} & set(keys)


def _load(place: Place, limits: Limits) -> Dataset:
    value = strict_json(place.read(), where=place.name)
    problems = Problems(place.name)
    problems.check(_schema(), value)
    problems.refuse()
    rated = RatedQueries(problems)
    silent = 0
    for number, entry in enumerate(value["requests"]):
        at = f"requests[{number}]"
        text = _text(entry)
        silent += not text
        key = rated.query(text, at=at, key=str(entry["id"]))
        _rate(entry["ratings"], key, at, rated, problems)
    return rated.dataset(place, notes=_notes(silent))


def _rate(
    ratings: list[dict[str, Any]], key: str, at: str, rated: RatedQueries, problems: Problems
) -> None:
    """Take ratings by _id, unless one query rates the same _id in two indexes."""
    indexes: dict[str, object] = {}
    for one in ratings:
        name, index = str(one["_id"]), one.get("_index")
        if indexes.setdefault(name, index) != index:
            problem = f'_id "{name}" is rated in "{indexes[name]}" and in "{index}"'
            problems.add(problem, at=at, hint="use one file per index")
            continue
        rated.rate(key, name, one["rating"], at=at)


def _text(entry: dict[str, Any]) -> str:
    """Return the text that a request searches for, if it is one text."""
    if "request" not in entry:
        return _parameter(entry.get("params") or {})
    found = set(_texts(entry["request"]))
    return found.pop() if len(found) == 1 else ""


def _parameter(params: dict[str, Any]) -> str:
    texts = {name: value for name, value in params.items() if isinstance(value, str)}
    named = [texts[name] for name in PARAMETERS if name in texts]
    options = named or list(texts.values())
    return options[0] if len(options) == 1 else ""


def _texts(value: object) -> Iterator[str]:
    """Yield what the clauses of a query search for; filters such as term are not texts."""
    if isinstance(value, list):
        for one in value:
            yield from _texts(one)
    if not isinstance(value, dict):
        return
    for name, one in value.items():
        if name in TEXTS and isinstance(one, str):
            yield one
        elif name in MATCHES and isinstance(one, dict):
            yield from (text for text in one.values() if isinstance(text, str))
            yield from _texts(one)
        elif name not in ("filter", "must_not", "post_filter", "aggs", "aggregations"):
            yield from _texts(one)


def _notes(silent: int) -> list[str]:
    if not silent:
        return []
    some = count_noun(silent, "request has", "requests have")
    return [f"{some} no single query text: usable with assay eval, but not with assay run"]


rank_eval = read_only("Elasticsearch _rank_eval request (JSON)", -4, _matches, _load)
