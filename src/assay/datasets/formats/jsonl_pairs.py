"""Lines of {"query": text, "relevant": [documents]}, or {document: grade} instead of the list."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from assay.datasets._format import DatasetFormat
from assay.datasets._json_lines import json_lines
from assay.datasets._place import Place
from assay.datasets._problems import Problems
from assay.datasets._schema import Schema
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._first_keys import first_keys
from assay.datasets.formats._queries import Gathered
from assay.datasets.formats._references import by_name, plain
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats._schemas import GRADE, NAME, TEXT, record
from assay.datasets.formats._written import refuse_nothing, write_lines
from assay.datasets.limits import Limits
from assay.records import Dataset, Judgment, Query, Reference

__all__ = ["jsonl_pairs"]

TAKEN = ("id", "query", "relevant")
RELEVANT = {
    "type": ["array", "object"],
    "items": NAME,
    "additionalProperties": GRADE,
    "propertyNames": {"minLength": 1},
}


@cache
def _schema() -> Schema:
    names = {"id": NAME, "query_id": NAME, "query": TEXT, "relevant": RELEVANT}
    return Schema(record(names, "query", "relevant"))


def _matches(place: Place) -> bool:
    if place.is_folder or not place.head.lstrip().startswith(b"{"):
        return False
    keys = first_keys(place.head)
    return "relevant" in keys or keys in (["query"], ["id", "query"])  # the head may end too early


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    gathered = Gathered(problems)
    for number, line in json_lines(place, _schema(), problems):
        at = f"line {number}"
        given = line["relevant"]
        names = [str(name) for name in given]
        gathered.refuse_repeated(names, at=at)
        grades = list(given.values()) if isinstance(given, dict) else [1] * len(names)
        named = "id" if "id" in line else "query_id"
        query = Query(
            key=gathered.key(line.get(named), line["query"]),
            text=line["query"],
            judgments=tuple(map(_judgment, names, grades)),
            **said(line, (*TAKEN, named)),
        )
        gathered.add(query, at=at)
    problems.refuse()
    queries = tuple(gathered.queries)
    scale = largest_grade(queries)
    notes = gathered.notes
    return Dataset(place.stem, queries, scale=scale, notes=notes, home=place.home)


def _judgment(name: str, grade: float) -> Judgment:
    return Judgment(Reference.named(name), int(grade))


def _reduce(dataset: Dataset) -> Dataset:
    queries = tuple(
        replace(kept(query, (*TAKEN, "query_id")), judgments=plain(query.judgments, by_name))
        for query in dataset.queries
    )
    return Dataset(dataset.name, queries, scale=largest_grade(queries))


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    write_lines(map(_line, dataset.queries), path)


def _line(query: Query) -> dict[str, Any]:
    grades = {judgment.reference.name: judgment.grade for judgment in query.judgments}
    relevant = list(grades) if set(grades.values()) <= {1} else grades
    return {"id": query.key, "query": query.text, "relevant": relevant, **beyond(query)}


jsonl_pairs = DatasetFormat(
    '{"query", "relevant": [documents]} per line',
    6,
    _matches,
    _load,
    _reduce,
    _write,
    (".jsonl",),
)
