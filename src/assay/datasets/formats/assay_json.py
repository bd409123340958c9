"""Assay's own JSON: schema 1.0 with metadata, queries, references and grades; loses nothing."""

import json
import re
from dataclasses import asdict, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._fields import number_of, repository_of
from assay.datasets.formats._meta import free
from assay.datasets.formats._question_layout import lists_questions
from assay.datasets.formats._scale import largest_grade
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.datasets.sheets.query_weights import without_weight
from assay.records import KEYS, Dataset, Document, Judgment, Match, Query, Rationale, Reference
from assay.text.near_miss import did_you_mean

__all__ = ["assay_json"]

SCHEMA = Path(__file__).with_name("assay_json.schema.json")
BEGINNING = re.compile(rb'\s*\{\s*(?:"(?:schema_version|metadata|queries|documents|\$schema)"|\})')
DEEPEST = 110  # levels: those of any other format, and those that this one puts around them
GRADE = 2  # of a reference that gives none
MOST = 1000  # of a scale
QUERY_KEYS = (
    *("query_key", "query_id", "query_text", "query", "category", "difficulty", "collection"),
    *("relevant_docs", "relevant_doc_refs", "weight", "extra"),
)
ALIASES = {
    "query_key": "query_id",
    "query_text": "query",
    "relevant_docs": "relevant_doc_refs",
}
REFERENCE_KEYS = (*KEYS, "symbol", "match")
SAID, LINES = ("reason", "judge", "when", "report"), ("lines", "seen")  # of a judge


@cache
def _schema() -> Schema:
    return Schema(json.loads(SCHEMA.read_bytes()))


def _matches(place: Place) -> bool:
    if place.is_folder or not BEGINNING.match(place.head):
        return False
    return not lists_questions(place.head, own=("relevant_docs", "relevant_doc_refs"))


def _load(place: Place, limits: Limits) -> Dataset:
    content = place.read(most=limits.size_bytes)
    value = strict_json(content, where=place.name, deepest=DEEPEST)
    problems = Problems(place.name)
    problems.check(_schema(), value)
    problems.refuse()
    _refuse_excess(value["queries"], limits, problems)
    metadata = dict(value.get("metadata", {}))
    scale = metadata.pop("scale", 3)
    match = metadata.pop("match", "exact")
    queries = tuple(_query(entry, match, problems) for entry in value["queries"])
    _refuse_above(queries, scale, problems)
    documents = tuple(Document(**entry) for entry in value.get("documents", ()))
    _refuse_twice([query.key for query in queries], "queries", "query key", problems)
    _refuse_twice([document.id for document in documents], "documents", "document id", problems)
    problems.refuse()
    corpus = metadata.pop("corpus", {})
    return Dataset(
        name=metadata.pop("name", "") or place.stem,
        queries=queries,
        description=metadata.pop("description", ""),
        scale=scale,
        documents=documents,
        corpus={"path": corpus} if isinstance(corpus, str) else corpus,
        metadata=metadata,
        home=place.home,
    )


def _refuse_excess(entries: list[dict[str, Any]], limits: Limits, problems: Problems) -> None:
    hint = "raise the limit ({}), or use another format, which has no limit"
    if len(entries) > limits.queries:
        problem = f"contains {len(entries):,} queries (limit: {limits.queries:,})"
        problems.add(problem, hint=hint.format("--max-queries"))
    for entry in entries:
        number = len(entry.get("relevant_docs") or entry.get("relevant_doc_refs") or ())
        if number > limits.judgments:
            problem = f"has {number:,} judgments (limit: {limits.judgments:,})"
            problems.add(problem, at=_place(entry), hint=hint.format("--max-judgments"))
    problems.refuse()


def _query(entry: dict[str, Any], match: Match, problems: Problems) -> Query:
    unknown = {key: value for key, value in entry.items() if key not in QUERY_KEYS}
    for key in unknown:
        if hint := did_you_mean(key, QUERY_KEYS, otherwise="", alike=0.85):
            problems.add(f'unknown key "{key}"', at=_place(entry), hint=hint)
    for key, alias in ALIASES.items():
        if key in entry and alias in entry and entry[key] != entry[alias]:
            problem = f'"{key}" and "{alias}" differ'
            problems.add(
                problem, at=_place(entry), hint=f'"{alias}" means the same as "{key}": keep one'
            )
    given = entry.get("relevant_docs", entry.get("relevant_doc_refs", []))
    _refuse_beside(given, _place(entry), problems)
    judgments = tuple(_judgment(judgment, match) for judgment in given)
    for judgment in judgments:
        if str(judgment.reference) == "nothing":
            hint = f"add one of: {', '.join((*KEYS, 'symbol'))}"
            problems.add("a reference is empty", at=_place(entry), hint=hint)
    return Query(
        key=entry.get("query_key", entry.get("query_id", "")),
        text=entry.get("query_text", entry.get("query", "")),
        judgments=judgments,
        category=entry.get("category", ""),
        difficulty=entry.get("difficulty", ""),
        collection=entry.get("collection", "") or repository_of(unknown),
        extra=unknown | entry.get("extra", {}) | _weight(entry),
    )


def _weight(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the weight as a further field, among which it is looked for."""
    return {"weight": entry["weight"]} if "weight" in entry else {}


def _refuse_beside(entries: list[str | dict[str, Any]], at: str, problems: Problems) -> None:
    """Note keys that belong inside a reference but are beside it, where they have no effect."""
    for entry in entries:
        if isinstance(entry, str) or "doc_ref" not in entry:
            continue
        for key in (key for key in REFERENCE_KEYS if key in entry):
            hint = f'write {{"doc_ref": {{..., "{key}": "{str(entry[key])[:40]}"}}}}'
            problems.add(f'"{key}" must be inside doc_ref, not beside it', at=at, hint=hint)


def _refuse_above(queries: tuple[Query, ...], scale: int, problems: Problems) -> None:
    """Note each grade above the scale; the hint is a scale that holds all of them."""
    top = largest_grade(queries)
    hint = f'set the scale in the metadata: {{"scale": {top}}}'
    hint = hint if top <= MOST else f"grades are limited to {MOST:,}"
    for query in queries:
        for one in query.judgments:
            if one.grade > scale:
                problem = f"grade {one.grade} of {one.reference} exceeds the scale maximum {scale}"
                problems.add(problem, at=f'query "{query.key}"', hint=hint)


def _judgment(entry: str | dict[str, Any], match: Match) -> Judgment:
    if isinstance(entry, str):
        return Judgment(_reference(entry, match), GRADE)
    bare = {key: entry[key] for key in REFERENCE_KEYS if key in entry}
    because = entry.get("because")
    return Judgment(
        reference=_reference(entry.get("doc_ref", bare), match),
        grade=int(entry.get("relevance_grade", GRADE)),
        group=entry.get("group", ""),
        because=None if because is None else _because(because),
    )


def _because(entry: dict[str, Any]) -> Rationale:
    words: dict[str, Any] = {key: entry[key] for key in SAID if key in entry}
    lines: dict[str, Any] = {key: (entry[key][0], entry[key][1]) for key in LINES if key in entry}
    return Rationale(**words, **lines)


def _reference(entry: str | dict[str, Any], match: Match) -> Reference:
    if isinstance(entry, str):
        return replace(Reference.named(entry), match=match)
    return Reference(**{"match": match, **entry})


def _place(entry: dict[str, Any]) -> str:
    return f'query "{entry.get("query_key", entry.get("query_id"))}"'


def _refuse_twice(names: list[str], of: str, noun: str, problems: Problems) -> None:
    first: dict[str, int] = {}
    for at, name in enumerate(names):
        known = first.setdefault(name, at)
        if known != at:
            hint = f"first used in {of}[{known}]; make each {noun} unique"
            problems.add(f'duplicate {noun} "{name}"', at=f"{of}[{at}]", hint=hint)


def _reduce(dataset: Dataset) -> Dataset:
    """Keep all but metadata under a key that means something else in the file."""
    queries = (replace(one, extra=without_weight(one.extra)) for one in dataset.queries)
    return replace(dataset, metadata=free(dataset.metadata), queries=tuple(queries))


def _write(dataset: Dataset, path: Path) -> None:
    metadata = {
        **dataset.metadata,
        "name": dataset.name,
        "description": dataset.description,
        "scale": dataset.scale,
    }
    if dataset.corpus:
        metadata["corpus"] = dict(dataset.corpus)
    value: dict[str, Any] = {"schema_version": "1.0", "metadata": metadata}
    if dataset.documents:
        value["documents"] = [_given(asdict(document)) for document in dataset.documents]
    value["queries"] = [_query_value(query) for query in dataset.queries]
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _query_value(query: Query) -> dict[str, Any]:
    value: dict[str, Any] = {"query_key": query.key, "query_text": query.text}
    value |= _given({key: getattr(query, key) for key in ("category", "difficulty", "collection")})
    value |= {"weight": number_of(query.weight)} if query.weight != 1 else {}
    value["relevant_docs"] = [_judgment_value(judgment) for judgment in query.judgments]
    return value | ({"extra": dict(query.extra)} if query.extra else {})


def _judgment_value(judgment: Judgment) -> dict[str, Any]:
    value: dict[str, Any] = {
        "doc_ref": _reference_value(judgment.reference),
        "relevance_grade": judgment.grade,
    }
    if judgment.group:
        value["group"] = judgment.group
    if judgment.because is not None:
        because: dict[str, Any] = _given({key: getattr(judgment.because, key) for key in SAID})
        for key in LINES:
            if (lines := getattr(judgment.because, key)) is not None:
                because[key] = list(lines)
        value["because"] = because
    return value


def _reference_value(reference: Reference) -> str | dict[str, Any]:
    if reference.name:
        return reference.name
    value = _given({field.name: getattr(reference, field.name) for field in fields(reference)})
    return value if reference.match != "exact" else {k: v for k, v in value.items() if k != "match"}


def _given(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item}


assay_json = DatasetFormat(
    "JSON with grades, references and metadata (lossless)",
    4,
    _matches,
    _load,
    _reduce,
    _write,
    (".json",),
)
