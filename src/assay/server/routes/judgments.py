"""Judgments that people, clicks and models give for a dataset: recorded and listed."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from assay.records.service import JudgmentEntry, NewJudgment
from assay.server.models.judgments import JudgmentList, JudgmentsBody, RecordedItem, Source
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

router = APIRouter(prefix="/api/v1/datasets/{dataset}/judgments", tags=["judgments"])


@router.post("", status_code=201, summary="Record judgments")
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


@router.get("", summary="List judgments", response_model=JudgmentList)
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
