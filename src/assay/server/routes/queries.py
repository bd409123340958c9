"""Queries of datasets: listed, edited, and what they were before."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Response

from assay.datasets.problems import Problems
from assay.records import dataset as records
from assay.records.service import DatasetEntry
from assay.server.models.datasets import DatasetItem, EditBody, GradeBody
from assay.server.models.parameters import AtVersion, Cursor, Here, Identifier, Limit
from assay.server.models.queries import (
    QueryHistory,
    QueryPage,
    make_query,
    make_reference,
    show_query,
)
from assay.server.routes._answers import Revision, json_answer, listed, tagged
from assay.server.security.access import Editor, Viewer
from assay.text.quote import quote_value

__all__ = ["router"]

Key = Annotated[str, Query(min_length=1, max_length=10_000, description="Key of the query.")]

router = APIRouter(prefix="/api/v1/datasets", tags=["datasets"])


@router.get("/{dataset}/queries", summary="List the queries of a dataset", response_model=QueryPage)
def list_queries(
    dataset: Identifier,
    _person: Viewer,
    service: Here,
    version: AtVersion = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """List the queries of a version with their judgments, in its order."""
    page = service.store.datasets.queries(dataset, version=version, limit=limit, cursor=cursor)
    return json_answer(listed(page, show_query))


@router.patch("/{dataset}/queries", summary="Edit queries of a dataset")
def edit_queries(
    dataset: Identifier,
    body: EditBody,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> DatasetItem:
    """Change queries or add new ones (by their keys), and remove some, as one new version."""
    put = [make_query(one) for one in body.put]
    _refuse_many(put, service.settings.judgment_limit)
    entry = service.store.datasets.edit(
        dataset,
        put=put,
        remove=body.remove,
        revision=revision,
        author=person.name,
        note=body.note,
    )
    tagged(response, entry.revision)
    return _item(entry)


@router.patch("/{dataset}/grades", summary="Change the grade of a document")
def edit_grade(
    dataset: Identifier,
    body: GradeBody,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> DatasetItem:
    """Give a document another grade for a query, or a first one; null removes the judgment."""
    entry = service.store.datasets.edit_grade(
        dataset,
        body.query_key,
        make_reference(body.doc_ref),
        body.relevance_grade,
        revision=revision,
        author=person.name,
        note=body.note,
    )
    tagged(response, entry.revision)
    return _item(entry)


@router.get(
    "/{dataset}/history", summary="Show the history of a query", response_model=QueryHistory
)
def get_query_history(
    dataset: Identifier, query_key: Key, _person: Viewer, service: Here
) -> Response:
    """Tell all that a query ever was, the newest first."""
    found = service.store.datasets.history(dataset, query_key)
    rows = [
        {"since": one.since, "until": one.until, "query": show_query(one.query)} for one in found
    ]
    return json_answer({"items": rows})


def _refuse_many(queries: Sequence[records.Query], most: int) -> None:
    """Refuse queries with more judgments than an upload may have."""
    problems = Problems("put")
    for query in queries:
        if len(query.judgments) > most:
            problem = f"has {len(query.judgments):,} judgments (limit: {most:,})"
            hint = "leave some out, or ask the administrator of the service"
            problems.add(problem, at=f"query {quote_value(query.key, 60)}", hint=hint)
    problems.refuse()


def _item(entry: DatasetEntry) -> DatasetItem:
    return DatasetItem.model_validate(asdict(entry))
