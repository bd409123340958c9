"""Lists of what there is, as answers have them."""

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from assay.workflows.list_members import KINDS

__all__ = ["MemberItem", "MemberKind", "MemberList"]

if TYPE_CHECKING:
    MemberKind = str
else:
    MemberKind = Literal[tuple(KINDS)]  # the kinds of `assay list`


class MemberItem(BaseModel):
    """A member of a kind: the name that one types, and what it is."""

    name: str
    summary: str


class MemberList(BaseModel):
    """All members of a kind."""

    items: list[MemberItem]
