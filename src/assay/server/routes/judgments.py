"""Judgments that people, clicks and models give for a dataset, and the texts to judge."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from assay.records.service import JudgmentEntry, NewJudgment
from assay.server.computing import computing
from assay.server.models.judgments import (
    DocumentsBody,
    DocumentTextList,
    JudgmentList,
    JudgmentsBody,
    RecordedItem,
    Source,
)
from assay.server.models.parameters import Cursor, Here, Identifier, Limit
from assay.server.routes._answers import json_answer, listed
from assay.server.security.access import Editor, Viewer

__all__ = ["router"]

Key = Annotated[
    str | None, Query(min_length=1, max_length=10_000, description="Only those of this query.")
]
Author = Annotated[str | None, Query(max_length=200, description="Only those of this author.")]
Of = Annotated[Source | None, Query(description="Only those of this source.")]
Current = Annotated[
    bool, Query(description="Only those that count, the oldest first; else all, the newest first.")
]

LOG = "/datasets/{dataset}/judgments"
router = APIRouter(prefix="/api/v1", tags=["judgments"])


@router.post(LOG, status_code=201, summary="Record judgments")
def record_judgments(
    dataset: Identifier, body: JudgmentsBody, person: Editor, service: Here
) -> RecordedItem:
    """Record judgments of whoever sends them. Of one author and source the newest counts.

    All are recorded, or none; the dataset itself is not changed.
    """
    judgments = [
        NewJudgment(one.query_key, one.document, one.grade, one.source, one.note)
        for one in body.judgments
    ]
    recorded = service.store.judgments.record(dataset, judgments, author=person.name)
    return RecordedItem(recorded=recorded)


@router.get(LOG, summary="List judgments", response_model=JudgmentList)
def list_judgments(
    dataset: Identifier,
    *,
    _person: Viewer,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    query_key: Key = None,
    author: Author = None,
    source: Of = None,
    current: Current = False,
) -> Response:
    """List all judgments that were ever given for a dataset, or those that count."""
    log = service.store.judgments
    read = log.current if current else log.page
    page = read(dataset, query=query_key, author=author, source=source, limit=limit, cursor=cursor)
    return json_answer(listed(page, _item))


@router.post(
    "/mappings/{mapping}/documents",
    summary="Read documents to judge",
    response_model=DocumentTextList,
)
def read_documents(
    mapping: Identifier, body: DocumentsBody, _person: Editor, service: Here
) -> Response:
    """Return the texts of documents of the corpus of a mapping, as it is now."""
    from assay.benchmarks.collections import stored_datasets

    corpus = service.store.corpora.get(service.store.mappings.get(mapping).corpus)
    service.allowed.refuse_corpus(corpus.where)  # the list may have changed since it was noted
    with computing(service):
        found = stored_datasets.read_documents(service.store, corpus.where, body.documents)
    items = [
        {"document": one.id, "path": one.path, "title": one.title, "text": one.text}
        for one in found.documents
    ]
    return json_answer({"items": items, "missing": [*found.missing], "left": [*found.left]})


def _item(entry: JudgmentEntry) -> dict[str, Any]:
    given = entry.judgment
    return {
        "number": entry.number,
        "query_key": given.query,
        "document": given.document,
        "grade": given.grade,
        "source": given.source,
        "note": given.note,
        "author": entry.author,
        "created": entry.created,
    }
