"""A folder of queries.jsonl and qrels.jsonl with relevant_ids, and perhaps corpus.jsonl."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._folder import begin, left_out, reduced
from assay.datasets.formats._meta import described
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats._schemas import GRADE, NAME, TEXT, record
from assay.datasets.formats._write_lines import refuse_nothing, write_lines
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference

__all__ = ["consciousdb"]

QUERIES = ("queries.jsonl", "queries.jsonl.gz")
QRELS = ("qrels.jsonl", "qrels.jsonl.gz")
KEYS = ("id", "query_id", "_id")
TEXTS = ("text", "query")


@cache
def _schemas() -> tuple[Schema, Schema]:
    queries = record({**dict.fromkeys(KEYS, NAME), **dict.fromkeys(TEXTS, TEXT)}, KEYS, TEXTS)
    ids = {"type": "array", "items": NAME}
    names = {"query_id": NAME, "relevant_ids": ids, "doc_id": NAME, "relevance": GRADE}
    return Schema(queries), Schema(record(names, "query_id", ("relevant_ids", "doc_id")))


def _matches(place: Place) -> bool:
    return place.file(*QUERIES) is not None and place.file(*QRELS) is not None


def _load(place: Place, limits: Limits) -> Dataset:
    queries, qrels = place.file(*QUERIES), place.file(*QRELS)
    if queries is None or qrels is None:
        problem = "is not a folder with queries and qrels as JSON lines"
        hint = f"expected {QUERIES[0]} and {QRELS[0]}"
        raise InputError(problem, where=place.name, hint=hint)
    judged = _judged(qrels)
    found = _queries(queries, judged)
    known = {query.key for query in found}
    missing = [key for key in judged if key not in known]
    notes = list(
        left_out(missing, where=str(qrels), known=len(judged) - len(missing), file=queries.name)
    )
    return described(place, found, largest_grade(found), notes)


def _judged(path: Path) -> dict[str, dict[str, int]]:
    """Return the grade of each document of each query."""
    judged: dict[str, dict[str, int]] = {}
    with Place(path) as place:
        problems = Problems(place.name)
        for number, line in json_lines(place, _schemas()[1], problems):
            grades = judged.setdefault(str(line["query_id"]), {})
            for name, grade in _grades(line):
                if name in grades:
                    hint = "keep one judgment per document and query"
                    problem = f'duplicate document "{name}" for query "{line["query_id"]}"'
                    problems.add(problem, at=f"line {number}", hint=hint)
                grades[name] = grade
        problems.refuse()
    return judged


def _grades(line: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for name in line.get("relevant_ids", ()):
        yield str(name), 1
    if "doc_id" in line:
        yield str(line["doc_id"]), int(line.get("relevance", 1))


def _queries(path: Path, judged: dict[str, dict[str, int]]) -> tuple[Query, ...]:
    with Place(path) as place:
        problems = Problems(place.name)
        gathered = QueryList(problems)
        for number, line in json_lines(place, _schemas()[0], problems):
            key_name, text_name = (_named(line, names) for names in (KEYS, TEXTS))
            key = str(line[key_name])
            judgments = tuple(
                Judgment(Reference(document_id=name), grade)
                for name, grade in judged.get(key, {}).items()
            )
            fields = said(line, (key_name, text_name))
            query = Query(key, line[text_name], judgments, **fields)
            gathered.add(query, at=f"line {number}")
        problems.refuse()
    return tuple(gathered.queries)


def _named(line: dict[str, Any], names: tuple[str, ...]) -> str:
    return next(name for name in names if name in line)


def _reduce(dataset: Dataset) -> Dataset:
    return reduced(dataset, (kept(query, (*KEYS, *TEXTS)) for query in dataset.queries))


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    begin(dataset, path, id_key="id", own=(*QUERIES, *QRELS))
    lines = ({"id": query.key, "text": query.text, **beyond(query)} for query in dataset.queries)
    write_lines(lines, path / QUERIES[0])
    write_lines((line for query in dataset.queries for line in _lines(query)), path / QRELS[0])


def _lines(query: Query) -> Iterator[dict[str, Any]]:
    """Write a list where all are simply relevant, else a line for each grade."""
    grades = {one.reference.document_id: one.grade for one in query.judgments}
    if set(grades.values()) <= {1}:
        yield {"query_id": query.key, "relevant_ids": list(grades)}
        return
    for name, grade in grades.items():
        yield {"query_id": query.key, "doc_id": name, "relevance": grade}


consciousdb = DatasetFormat(
    "folder of JSON lines: queries.jsonl and qrels.jsonl",
    1,
    _matches,
    _load,
    _reduce,
    _write,
)
