"""Rows of a ragas dataset (JSON or lines of JSON) that name their reference contexts by id."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._rated_queries import RatedQueries
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.records import Dataset

__all__ = ["ragas"]

IDS = "reference_context_ids"
# What a system answered, and long texts, are not part of what is asked and what is right.
TAKEN = (
    *("user_input", IDS, "reference_contexts", "retrieved_contexts", "retrieved_context_ids"),
    *("response", "reference", "rubrics"),
)


@cache
def _schema() -> Schema:
    ids = {"type": "array", "items": NAME}
    return Schema(record({"user_input": TEXT, IDS: ids}, "user_input", IDS))


def _matches(place: Place) -> bool:
    head = place.head.lstrip().removeprefix(b"[")
    return {"user_input", IDS} <= set(first_keys(head)) if head.lstrip()[:1] == b"{" else False


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    rated = RatedQueries(problems)
    for at, row in _rows(place, problems):
        extra = {key: value for key, value in row.items() if key not in TAKEN}
        key = rated.query(row["user_input"], at=at, extra=extra)
        for name in row[IDS]:
            rated.rate(key, str(name), 1, at=at)
    return rated.dataset(place, notes=[f"{IDS} has no grades: each document counts as grade 1"])


def _rows(place: Place, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    if not place.head.lstrip().startswith(b"["):
        lines = json_lines(place, _schema(), problems)
        yield from ((f"line {number}", row) for number, row in lines)
        return
    for number, row in enumerate(strict_json(place.read(), where=place.name)):
        if problems.check(_schema(), row, at=f"[{number}]"):
            yield f"[{number}]", row


ragas = read_only(
    "ragas rows (JSON) with user_input and reference_context_ids", -6, _matches, _load
)
