"""The audit log: who did what."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Response

from assay.server.models.administration import AuditPage
from assay.server.models.parameters import Cursor, Here, Limit
from assay.server.routes._answers import json_answer, listed
from assay.server.security.access import Admin

__all__ = ["router"]

Kind = Annotated[
    str | None, Query(max_length=40, description="Only of this kind of object, e.g. dataset.")
]
Thing = Annotated[str | None, Query(max_length=64, description="Only of the object with this id.")]
Author = Annotated[str | None, Query(max_length=200, description="Only what this author did.")]

router = APIRouter(prefix="/api/v1/audit", tags=["administration"])


@router.get("", summary="List the audit log", response_model=AuditPage)
def list_audit(
    _person: Admin,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    kind: Kind = None,
    object: Thing = None,  # noqa: A002
    author: Author = None,
) -> Response:
    """List who did what to which object, the newest first; for administrators."""
    page = service.store.audit.page(
        kind=kind, thing=object, author=author, limit=limit, cursor=cursor
    )
    return json_answer(listed(page, asdict))
