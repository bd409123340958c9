"""Lines of {"query": text, "relevant": [documents], "grades": [...]}, or {document: grade}."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from assay.columns.header import first_line
from assay.columns.titles import TITLES, plain_titles
from assay.columns.titles import plain as plain_title
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._references import by_name, plain
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats._schemas import GRADE, NAME, TEXT, record
from assay.datasets.formats._write_lines import refuse_nothing, write_lines
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.datasets.sheets.question_words import is_question
from assay.records import Dataset, Judgment, Query, Reference

__all__ = ["jsonl_pairs"]

LISTS = ("relevant", "relevant_docs", "relevant_ids")  # the first is what is written
FIRST = re.compile(rb'"relevant"\s*:\s*(\S)')
KEYS = ("id", *TITLES["key"])  # what the key of a query may be called
TAKEN = ("id", "query", *LISTS)
GRADES = {*plain_titles(TITLES["grade"])}
RELEVANT = {
    "type": ["array", "object"],
    "items": NAME,
    "additionalProperties": GRADE,
    "propertyNames": {"minLength": 1},
}


@cache
def _schema() -> Schema:
    names = {**dict.fromkeys(KEYS, NAME), "query": TEXT, **dict.fromkeys(LISTS, RELEVANT)}
    return Schema(record(names, "query", LISTS))


@cache
def _grades_schema() -> Schema:
    return Schema({"type": "object", "additionalProperties": {"type": "array", "items": GRADE}})


def _matches(place: Place) -> bool:
    if place.is_folder or not place.head.lstrip().startswith(b"{"):
        return False
    keys = first_keys(place.head)
    if "query" not in keys and any(map(is_question, keys)):
        return False  # of a list in other words
    if LISTS[0] in keys or ("query" in keys and not set(LISTS).isdisjoint(keys)):
        return not _is_flag(place.head)
    whole = first_line(place.head).rstrip().endswith("}")  # else the head may end too early
    return not whole and keys in (["query"], ["id", "query"])


def _is_flag(head: bytes) -> bool:
    """Tell whether "relevant" is the grade of one judgment, not a list of documents."""
    found = FIRST.search(head)
    return found is not None and found[1] not in b"[{"


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    gathered = QueryList(problems)
    for number, line in json_lines(place, _schema(), problems):
        at = f"line {number}"
        given = line[next(key for key in LISTS if key in line)]
        names = [str(name) for name in given]
        gathered.refuse_repeated(names, at=at)
        beside = _grade_keys(line)
        _refuse_several(line, beside, gathered, at=at)
        grades = _grades(line, beside, given, problems, at=at)
        named = next((key for key in KEYS if key in line), KEYS[0])
        query = Query(
            key=gathered.key(line.get(named), line["query"]),
            text=line["query"],
            judgments=tuple(map(_judgment, names, grades)),
            **said(line, (*TAKEN, *beside, named)),
        )
        gathered.add(query, at=at)
    problems.refuse()
    queries = tuple(gathered.queries)
    scale = largest_grade(queries)
    notes = gathered.notes
    return Dataset(place.stem, queries, scale=scale, notes=notes, home=place.home)


def _grade_keys(record: Mapping[str, Any]) -> list[str]:
    """Name the keys that could hold the grades of the listed documents."""
    found = [key for key, value in record.items() if isinstance(value, list | int | float)]
    return [key for key in found if {plain_title(key), plain_title(key).removesuffix("s")} & GRADES]


def _refuse_several(
    line: Mapping[str, Any], beside: list[str], gathered: QueryList, *, at: str
) -> None:
    for keys in ([key for key in LISTS if key in line], beside):
        if len(keys) > 1:
            hint = "keep one of them"
            gathered.refuse(f"keys with the same meaning: {', '.join(keys)}", at=at, hint=hint)


def _grades(
    line: Mapping[str, Any],
    beside: list[str],
    given: list[Any] | dict[str, Any],
    problems: Problems,
    *,
    at: str,
) -> list[int]:
    """Return the grade of each document: as given with it, in a list beside it, or 1."""
    if not beside:
        return list(given.values()) if isinstance(given, dict) else [1] * len(given)
    grades = line[beside[0]]
    if isinstance(given, dict) or not isinstance(grades, list) or len(grades) != len(given):
        problem = f'"{beside[0]}" must be a list with one grade per document'
        hint = 'or write "relevant": {"doc1": 3, "doc2": 1}; rename the key if it holds no grades'
        problems.add(problem, at=at, hint=hint)
        return [0] * len(given)
    before = len(problems.found)
    problems.check(_grades_schema(), {beside[0]: grades}, at=at)
    return grades if len(problems.found) == before else [0] * len(given)


def _judgment(name: str, grade: float) -> Judgment:
    return Judgment(Reference.named(name), int(grade))


def _reduce(dataset: Dataset) -> Dataset:
    queries = tuple(
        replace(
            kept(query, (*TAKEN, *KEYS, *_grade_keys(query.extra))),
            judgments=plain(query.judgments, by_name),
        )
        for query in dataset.queries
    )
    return Dataset(dataset.name, queries, scale=largest_grade(queries))


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    write_lines(map(_line, dataset.queries), path)


def _line(query: Query) -> dict[str, Any]:
    grades = {judgment.reference.name: judgment.grade for judgment in query.judgments}
    relevant = list(grades) if set(grades.values()) <= {1} else grades
    return {"id": query.key, "query": query.text, LISTS[0]: relevant, **beyond(query)}


jsonl_pairs = DatasetFormat(
    'JSON lines: {"query", "relevant": [documents]}',
    6,
    _matches,
    _load,
    _reduce,
    _write,
    (".jsonl",),
)
