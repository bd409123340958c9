"""A BEIR folder: queries.jsonl, corpus.jsonl and qrels/test.tsv (or dev, train, or qrels.tsv)."""

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._folder import begin, by_query, left_out, reduced, refuse_ids
from assay.datasets.formats._meta import described
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.formats._write_lines import refuse_nothing, write_lines
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.load_judgments import load_judgments
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.datasets.sheets.cells import guarded, unguarded
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query
from assay.text.count_noun import count_noun

__all__ = ["beir"]

QUERIES = ("queries.jsonl", "queries.jsonl.gz")
QRELS = ("qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv", "qrels.tsv")
ODD = re.compile(r"[\x00-\x1f]")


@cache
def _schema() -> Schema:
    names = {"_id": NAME, "id": NAME, "text": TEXT, "metadata": {"type": ["object", "null"]}}
    return Schema(record(names, ("_id", "id"), "text"))


def _matches(place: Place) -> bool:
    return place.file(*QUERIES) is not None and place.file(*QRELS) is not None


def _load(place: Place, limits: Limits) -> Dataset:
    path, chosen = place.file(*QUERIES), place.file(*QRELS)
    if path is None or chosen is None:
        hint = f"expected {QUERIES[0]} and {QRELS[0]} (or {', '.join(QRELS[1:])})"
        raise InputError("is not a BEIR folder", where=place.name, hint=hint)
    judgments = load_judgments(chosen, binary=place.binary, subtopics=place.subtopics)
    judged = by_query(judgments)
    notes = [*judgments.notes, *_splits(place, chosen)]
    queries, unjudged = _queries(path, judged)
    known = {query.key for query in queries}
    missing = [key for key in judged if key not in known]
    notes += left_out(missing, where=str(chosen), known=len(queries), file=path.name)
    if unjudged:
        are = count_noun(
            unjudged, "query has no judgments and is", "queries have no judgments and are"
        )
        notes.append(f"{are} ignored, as in BEIR")
    return described(place, queries, judgments.scale, notes)


def _splits(place: Place, chosen: Path) -> Iterator[str]:
    """Tell which judgments were taken where there are several."""
    others = [name for name in QRELS if place.file(name) not in (None, chosen)]
    if others:
        name = chosen.relative_to(place.path).as_posix()
        yield f"judgments are read from {name}; ignored: {', '.join(others)}"


def _queries(path: Path, judged: dict[str, tuple[Judgment, ...]]) -> tuple[tuple[Query, ...], int]:
    """Return the queries that were judged, and how many were not."""
    unjudged = 0
    with Place(path) as place:
        problems = Problems(place.name)
        gathered = QueryList(problems)
        for number, line in json_lines(place, _schema(), problems):
            key = str(line["_id"] if "_id" in line else line["id"])
            if key in judged:
                gathered.add(_query(key, line, judged[key]), at=f"line {number}")
            else:
                unjudged += 1
        problems.refuse()
    return tuple(gathered.queries), unjudged


def _query(key: str, line: dict[str, Any], judgments: tuple[Judgment, ...]) -> Query:
    if len(line) == 2:  # the usual case, half a million times
        return Query(key, line["text"], judgments)
    id_key = "_id" if "_id" in line else "id"
    rest = {name: value for name, value in line.items() if name not in (id_key, "text", "metadata")}
    fields = said({**rest, **(line.get("metadata") or {})}, ())
    return Query(key, line["text"], judgments, **fields)


def _reduce(dataset: Dataset) -> Dataset:
    whole = reduced(dataset, (kept(query, ()) for query in dataset.queries))
    return replace(whole, queries=tuple(query for query in whole.queries if query.judgments))


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    refuse_ids(dataset, ODD, path)
    begin(dataset, path, id_key="_id", own=(*QUERIES, *QRELS))
    write_lines(map(_line, dataset.queries), path / QUERIES[0])
    (path / QRELS[0]).parent.mkdir(exist_ok=True)
    with (path / QRELS[0]).open("w", encoding="utf-8", newline="\n") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")  # as BEIR reads it
        writer.writerow(["query-id", "corpus-id", "score"])
        for query in dataset.queries:
            for judgment in query.judgments:
                names = (query.key, judgment.reference.document_id)
                writer.writerow([*map(_cell, names), judgment.grade])


def _cell(name: str) -> str:
    """Guard only a name that would not be read back."""
    return name if unguarded(name) == name else guarded(name)


def _line(query: Query) -> dict[str, Any]:
    line: dict[str, Any] = {"_id": query.key, "text": query.text}
    metadata = beyond(query)
    return {**line, "metadata": metadata} if metadata else line


beir = DatasetFormat(
    "BEIR folder: queries.jsonl, corpus.jsonl and qrels/*.tsv",
    0,
    _matches,
    _load,
    _reduce,
    _write,
)
