"""What there is: metrics, suites, models, formats and others, by name."""

from typing import Annotated

from fastapi import APIRouter, Path

from assay.server.models.lists import MemberItem, MemberKind, MemberList
from assay.server.security.access import Viewer

__all__ = ["router"]

Kind = Annotated[MemberKind, Path(description="A kind of `assay list`.")]
router = APIRouter(prefix="/api/v1/lists", tags=["lists"])


@router.get("/{kind}", summary="List metrics, suites, models and others")
def list_kind(kind: Kind, _person: Viewer) -> MemberList:
    """List what can be named in a benchmark or a request, each with a sentence about it."""
    from assay.workflows.list_members import list_members

    found = list_members(kind)
    return MemberList(items=[MemberItem(name=name, summary=one) for name, one in found.items()])
