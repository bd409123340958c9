"""Queries with their judgments, written as in the JSON of a dataset."""

from dataclasses import asdict, fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, FailFast, Field

from assay.errors import InputError
from assay.records.dataset import KEYS, Judgment, Query, Rationale, Reference
from assay.server.models.bodies import Body, DocumentId, JsonObject, QueryKey, Words

__all__ = [
    "AnyReference",
    "QueryHistory",
    "QueryModel",
    "QueryPage",
    "make_query",
    "make_reference",
    "show_query",
    "show_reference",
]

HIGHEST = 1_000  # grade
Text = Annotated[str, Field(max_length=10_000)]
Line = Annotated[int, Field(ge=1, le=2**53)]


class ReferenceModel(Body):
    """A document by one or more of its keys, which are tried in this order."""

    document_id: Text = ""
    uri: Text = ""
    content_hash: Text = Field("", description="SHA-256 in hexadecimal.")
    path: Text = ""
    file_name: Text = ""
    symbol: Text = Field("", description="A symbol that the document defines.")
    match: Literal["exact", "substring"] = "exact"


AnyReference = DocumentId | ReferenceModel
"""A bare name, which may be an id, a URI, a path or a file name; or the keys themselves."""


class RationaleModel(Body):
    """Why a judge gave a grade."""

    reason: Text = ""
    judge: Text = ""
    when: Text = ""
    report: Text = ""
    lines: Annotated[list[Line], Field(min_length=2, max_length=2)] | None = None
    seen: Annotated[list[Line], Field(min_length=2, max_length=2)] | None = None


class JudgmentModel(Body):
    """The grade of a document for a query."""

    doc_ref: AnyReference
    relevance_grade: int = Field(2, ge=-HIGHEST, le=HIGHEST)
    group: Text = Field("", description="Judgments of the same group are alternatives.")
    because: RationaleModel | None = None


class QueryModel(Body):
    """A query with its judgments."""

    query_key: QueryKey
    query_text: Annotated[str, Field(max_length=100_000)]
    category: Words = ""
    difficulty: Words = ""
    collection: Words = ""
    weight: float = Field(1.0, gt=0, le=1e12)
    relevant_docs: Annotated[list[JudgmentModel], FailFast()] = Field([], max_length=100_000)
    extra: JsonObject = Field({})


class QueryPage(BaseModel):
    """Some queries of a dataset, in its order."""

    items: list[QueryModel]
    next: str | None


class QueryChange(BaseModel):
    """A query as it was in the versions from ``since`` on, and before ``until``."""

    since: int
    until: int | None
    query: QueryModel


class QueryHistory(BaseModel):
    """All that a query ever was, the newest first."""

    items: list[QueryChange]


def make_reference(given: str | ReferenceModel) -> Reference:
    """Make a reference of a bare name, or of its keys."""
    if isinstance(given, str):
        return Reference.named(given)
    made = Reference(**given.model_dump())
    if str(made) == "nothing":
        hint = f"add one of: {', '.join((*KEYS, 'symbol'))}"
        raise InputError("the reference is empty", where="reference", hint=hint)
    return made


def show_reference(reference: Reference) -> str | dict[str, Any]:
    """Write a reference: a bare name, or the keys that are given."""
    if reference.name:
        return reference.name
    plain = Reference()
    given = {one.name: getattr(reference, one.name) for one in fields(reference)}
    return {name: value for name, value in given.items() if value != getattr(plain, name)}


def make_query(given: QueryModel) -> Query:
    """Make the record of a query; InputError if its filters are none."""
    made = Query(
        key=given.query_key,
        text=given.query_text,
        judgments=tuple(map(_judgment, given.relevant_docs)),
        category=given.category,
        difficulty=given.difficulty,
        collection=given.collection,
        extra=given.extra,
        weight=given.weight,
    )
    _ = made.filters  # they are read here, so that nothing else meets wrong ones
    return made


def show_query(query: Query) -> dict[str, Any]:
    """Write a query with all its fields."""
    return {
        "query_key": query.key,
        "query_text": query.text,
        "category": query.category,
        "difficulty": query.difficulty,
        "collection": query.collection,
        "weight": query.weight,
        "relevant_docs": [_show_judgment(one) for one in query.judgments],
        "extra": dict(query.extra),
    }


def _judgment(given: JudgmentModel) -> Judgment:
    because = None
    if given.because is not None:
        told = given.because.model_dump(exclude={"lines", "seen"})
        lines, seen = _lines(given.because.lines), _lines(given.because.seen)
        because = Rationale(**told, lines=lines, seen=seen)
    return Judgment(make_reference(given.doc_ref), given.relevance_grade, given.group, because)


def _lines(given: list[int] | None) -> tuple[int, int] | None:
    return None if given is None else (given[0], given[1])


def _show_judgment(judgment: Judgment) -> dict[str, Any]:
    return {
        "doc_ref": show_reference(judgment.reference),
        "relevance_grade": judgment.grade,
        "group": judgment.group,
        "because": None if judgment.because is None else asdict(judgment.because),
    }
