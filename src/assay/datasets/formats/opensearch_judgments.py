"""JSON of an OpenSearch Search Relevance judgment list, as its API takes and returns it."""

import re
from functools import cache
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.formats._rated_queries import RatedQueries
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.errors import InputError
from assay.records import Dataset
from assay.text.count_noun import count_noun

__all__ = ["opensearch_judgments"]

RATINGS = re.compile(rb'"judgmentRatings"\s*:')
CLICKS = "UBI_JUDGMENT"


@cache
def _schema() -> Schema:
    rating = record({"docId": NAME, "rating": {"type": ["number", "string"]}}, "docId", "rating")
    query = record(
        {"query": TEXT, "ratings": {"type": "array", "items": rating}}, "query", "ratings"
    )
    lists = {"type": "array", "items": query}
    texts = {"name": TEXT, "description": {"type": ["string", "null"]}, "type": TEXT}
    return Schema(record({**texts, "judgmentRatings": lists}, "judgmentRatings"))


def _matches(place: Place) -> bool:
    return place.head.lstrip().startswith(b"{") and bool(RATINGS.search(place.head))


def _load(place: Place, limits: Limits) -> Dataset:
    found = _judgment_list(strict_json(place.read(), where=place.name), place.name)
    problems = Problems(place.name)
    problems.check(_schema(), found)
    problems.refuse()
    _refuse_clicks(found, place.name)
    rated = RatedQueries(problems)
    for number, entry in enumerate(found["judgmentRatings"]):
        at = f"judgmentRatings[{number}]"
        key = rated.query(entry["query"], at=at)
        for one in entry["ratings"]:
            rated.rate(key, str(one["docId"]), one["rating"], at=at)
    return rated.dataset(
        place, name=found.get("name", ""), description=found.get("description") or ""
    )


def _judgment_list(value: object, where: str) -> Any:  # noqa: ANN401
    """Take the one judgment list out of the response of a search, if it is in one."""
    outer = value.get("hits") if isinstance(value, dict) else None
    hits = outer.get("hits") if isinstance(outer, dict) else None
    if not isinstance(hits, list):
        return value
    if len(hits) != 1:
        hint = "export a single one: GET _plugins/_search_relevance/judgments/ID"
        raise InputError(
            f"contains {count_noun(len(hits), 'judgment list')}, expected one",
            where=where,
            hint=hint,
        )
    return hits[0].get("_source") if isinstance(hits[0], dict) else hits[0]


def _refuse_clicks(found: dict[str, Any], where: str) -> None:
    if found.get("type") == CLICKS:
        problem = "the ratings are computed from clicks; clicks are not judgments"
        hint = (
            "clicks depend on which results were shown and where: have people grade these queries"
            " (assay judge), or import an LLM_JUDGMENT or IMPORT_JUDGMENT list"
        )
        raise InputError(problem, where=where, hint=hint)


opensearch_judgments = read_only(
    "OpenSearch Search Relevance judgment list (JSON)", -3, _matches, _load
)
