"""JSON of documents and queries with expectedResults, the most relevant first."""

import json
import re
from dataclasses import asdict, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._meta import free
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._question_layout import lists_questions
from assay.datasets.formats._references import by_name, plain
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.records import Dataset, Document, Judgment, Query, Reference
from assay.records.metadata import further_fields

__all__ = ["exocortex"]

EXPECTED = re.compile(rb'"expectedResults"\s*:')
CONTENT = re.compile(rb'\{\s*"documents"\s*:\s*\[\s*\{[^{}]*"(?:content|file|metadata)"\s*:')
TAKEN = ("id", "query", "expectedResults")
IDS = ("id", "path", "file")
GRADES = (3, 2)  # of the first and the second; every further one has grade 1
SCALE = 3
OWN = {"metadata", "converter"}  # fields of a document that no file of this format has
KINDS = {field.name: field.type for field in fields(Document) if field.name not in OWN}


@cache
def _schema() -> Schema:
    names = {"type": "array", "items": NAME}
    query = record({"id": NAME, "query": TEXT, "expectedResults": names}, "query", TAKEN[2])
    texts = {key: TEXT for key in KINDS if key not in ("id", "size_bytes")}
    path, size = TEXT | {"minLength": 1}, {"type": "integer", "minimum": 0}
    document = record(
        {**texts, "content": TEXT, **dict.fromkeys(IDS, NAME), "path": path, "size_bytes": size},
        IDS,
    )
    whole = record(
        {
            "name": TEXT,
            "description": TEXT,
            "corpus": {"type": ["object", "string"]},
            "documents": {"type": "array", "items": document},
            "queries": {"type": "array", "items": query},
        },
        "queries",
    )
    return Schema(whole)


def _matches(place: Place) -> bool:
    head = place.head.lstrip()
    if place.is_folder or not head.startswith((b"{", b"[")):
        return False
    if head.startswith(b"["):
        return {"query", "expectedResults"} <= set(first_keys(head[1:]))
    keys = first_keys(head)
    if keys[:2] == ["name", "queries"]:
        return not lists_questions(head, own=TAKEN[2:])
    line = not {"query", "prompt", "schema_version"}.isdisjoint(keys)  # of another format
    whole = not line and not {"queries", "documents"}.isdisjoint(keys)
    return whole and bool(EXPECTED.search(head) or CONTENT.match(head))


def _load(place: Place, limits: Limits) -> Dataset:
    value = strict_json(place.read(), where=place.name)
    whole = {"queries": value} if isinstance(value, list) else value
    problems = Problems(place.name)
    problems.check(_schema(), whole)
    problems.refuse()
    rest = dict(whole)
    gathered = QueryList(problems)
    for number, entry in enumerate(rest.pop("queries")):
        _add(entry, f"queries[{number}]", gathered)
    notes: list[str] = []
    documents = _documents(rest.pop("documents", []), problems, notes)
    problems.refuse()
    corpus = rest.pop("corpus", {})
    return Dataset(
        name=rest.pop("name", "") or place.stem,
        queries=tuple(gathered.queries),
        description=rest.pop("description", ""),
        scale=SCALE,
        documents=documents,
        corpus={"path": corpus} if isinstance(corpus, str) else corpus,
        metadata=free(rest),
        notes=(*gathered.notes, *notes),
        home=place.home,
    )


def _add(entry: dict[str, Any], at: str, gathered: QueryList) -> None:
    names = [str(name) for name in entry["expectedResults"]]
    gathered.refuse_repeated(names, at=at)
    query = Query(
        key=gathered.key(entry.get("id"), entry["query"]),
        text=entry["query"],
        judgments=_ordered([Reference.named(name) for name in names]),
        **said(entry, TAKEN),
    )
    gathered.add(query, at=at)


def _ordered(references: list[Reference]) -> tuple[Judgment, ...]:
    """Give the first the highest grade, and each that follows less, but never nothing."""
    grades = (*GRADES, *[1] * len(references))
    return tuple(map(Judgment, references, grades))


def _documents(
    entries: list[dict[str, Any]], problems: Problems, notes: list[str]
) -> tuple[Document, ...]:
    documents = [_document(entry) for entry in entries]
    first: dict[str, int] = {}
    for at, document in enumerate(documents):
        known = first.setdefault(document.id, at)
        if known != at:
            hint = f"first used in documents[{known}]; give each document its own id"
            problem = f'duplicate document id "{document.id}"'
            problems.add(problem, at=f"documents[{at}]", hint=hint)
    lost = {
        name for entry, one in zip(entries, documents, strict=True) for name in _lost(entry, one)
    }
    if lost:
        notes.append(f"ignored fields of documents: {', '.join(sorted(lost))}")
    return tuple(documents)


def _lost(entry: dict[str, Any], document: Document) -> set[str]:
    """Name the fields of a document that are too large to be kept as metadata."""
    own = entry.get("metadata")
    given = {**entry, **(own if isinstance(own, dict) else {})}
    names = {name.partition(".")[0] for name in document.metadata} | {*KINDS, *IDS, "content"}
    return {key for key, value in given.items() if value and key not in {*names, "metadata"}}


def _document(entry: dict[str, Any]) -> Document:
    given = {key: entry[key] for key in KINDS if key in entry}
    name = str(next(entry[key] for key in IDS if entry.get(key)))
    text = entry.get("content", entry.get("text", ""))
    return Document(
        **{**given, "id": name, "text": text, "size_bytes": int(given.get("size_bytes", 0))},
        metadata=further_fields(entry, {*KINDS, *IDS, "content"}),
    )


def _reduce(dataset: Dataset) -> Dataset:
    metadata = free(dataset.metadata)
    return replace(
        dataset,
        queries=tuple(map(_reduced, dataset.queries)),
        scale=SCALE,
        metadata={key: metadata[key] for key in metadata if key not in ("documents", "queries")},
    )


def _reduced(query: Query) -> Query:
    relevant = [one for one in plain(query.judgments, by_name) if one.grade > 0]
    relevant.sort(key=lambda one: -one.grade)
    return replace(kept(query, TAKEN), judgments=_ordered([one.reference for one in relevant]))


def _write(dataset: Dataset, path: Path) -> None:
    value: dict[str, Any] = {"name": dataset.name, "queries": list(map(_entry, dataset.queries))}
    value |= {"description": dataset.description} if dataset.description else {}
    value |= {"corpus": dict(dataset.corpus)} if dataset.corpus else {}
    documents = [_record(document) for document in dataset.documents]
    value |= {"documents": documents} if documents else {}
    text = json.dumps(value | dict(dataset.metadata), ensure_ascii=False, indent=2, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _entry(query: Query) -> dict[str, Any]:
    names = [judgment.reference.name for judgment in query.judgments]
    return {"id": query.key, "query": query.text, "expectedResults": names, **beyond(query)}


def _record(document: Document) -> dict[str, Any]:
    given = {key: value for key, value in asdict(document).items() if value}
    return {"id": given.pop("id"), "content": given.pop("text", ""), **given}


exocortex = DatasetFormat(
    "JSON with documents, and queries with expectedResults",
    2,
    _matches,
    _load,
    _reduce,
    _write,
    (".exocortex.json",),
)
