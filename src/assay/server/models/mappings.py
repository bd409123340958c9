"""Mappings of datasets onto corpora as requests and answers have them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from assay.server.models.bodies import Body, DocumentId, ItemId
from assay.server.models.jobs import JobItem
from assay.server.models.queries import AnyReference

__all__ = [
    "ChoiceBody",
    "ChoiceItem",
    "ChoiceList",
    "MappingBody",
    "MappingItem",
    "MappingList",
    "MappingState",
    "UndoBody",
    "UnresolvedItem",
    "UnresolvedList",
]

MappingState = Literal["pending", "resolved", "partial", "unresolved"]


class MappingBody(Body):
    """A dataset, and the corpus that its references are looked up in."""

    dataset: ItemId
    corpus: ItemId
    version: Annotated[int, Field(ge=1, le=2**53)] | None = Field(
        None, description="Of the dataset; by default the current one."
    )


class ChoiceBody(Body):
    """The document that a reference means."""

    reference: AnyReference
    document: DocumentId


class UndoBody(Body):
    """A reference whose choice is taken back."""

    reference: AnyReference


class MappingItem(BaseModel):
    """A mapping: how many of its expected items were found, and its last job."""

    id: str
    dataset: str
    version: int
    corpus: str
    state: MappingState
    revision: int
    created: float
    updated: float
    total: int
    resolved: int
    ambiguous: int
    missing: int
    fingerprint: str
    resolved_at: float | None
    deleted: float | None
    job: JobItem | None = Field(description="The last job that resolves it; null in a list.")


class MappingList(BaseModel):
    """Some mappings, the newest first."""

    items: list[MappingItem]
    next: str | None


class UnresolvedItem(BaseModel):
    """A reference that leads to no document: why, and which documents it may mean."""

    query_key: str
    reference: str | dict[str, Any]
    reason: Literal["not_found", "ambiguous", "invalid"]
    candidates: list[str]
    chosen_document: str = Field(
        default="", description="What was chosen by hand; the corpus does not have it."
    )


class UnresolvedList(BaseModel):
    """Some references that lead nowhere, in the order of the dataset."""

    items: list[UnresolvedItem]
    next: str | None


class ChoiceItem(BaseModel):
    """The document that somebody chose for a reference."""

    reference: str | dict[str, Any]
    document: str
    author: str
    created: float


class ChoiceList(BaseModel):
    """All choices of a dataset and a corpus, the oldest first."""

    items: list[ChoiceItem]
