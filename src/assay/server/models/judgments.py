"""Judgments that people, clicks and models give, as requests and answers have them."""

from typing import Annotated, Literal

from pydantic import BaseModel, FailFast, Field

from assay.server.models.bodies import Body, DocumentId, Note, QueryKey

__all__ = [
    "DocumentTextList",
    "DocumentsBody",
    "JudgmentItem",
    "JudgmentList",
    "JudgmentsBody",
    "RecordedItem",
    "Source",
]

Source = Literal["person", "clicks", "model"]
MOST = 10_000
MOST_DOCUMENTS = 1_000


class JudgmentBody(Body):
    """A grade of a document for a query; null takes an earlier grade back."""

    query_key: QueryKey
    document: DocumentId
    grade: Annotated[int, Field(ge=-1_000, le=1_000)] | None
    source: Source = "person"
    note: Note = ""


class JudgmentsBody(Body):
    """Judgments of one author."""

    judgments: Annotated[list[JudgmentBody], FailFast()] = Field(min_length=1, max_length=MOST)


class RecordedItem(BaseModel):
    """How many judgments were recorded."""

    recorded: int


class JudgmentItem(BaseModel):
    """A judgment: who gave it, and when."""

    number: int
    query_key: str
    document: str
    grade: int | None
    source: Source
    note: str
    author: str
    created: float


class JudgmentList(BaseModel):
    """Some judgments of a dataset."""

    items: list[JudgmentItem]
    next: str | None


class DocumentsBody(Body):
    """Documents to read, by their ids."""

    documents: list[DocumentId] = Field(min_length=1, max_length=MOST_DOCUMENTS)


class DocumentTextItem(BaseModel):
    """A document with its text; path and title are empty where it has none."""

    document: str
    path: str
    title: str
    text: str


class DocumentTextList(BaseModel):
    """Documents in the order of the corpus."""

    items: list[DocumentTextItem]
    missing: list[str] = Field(description="Those that are not in the corpus.")
    left: list[str] = Field(description="Those that did not fit into this answer: ask again.")
