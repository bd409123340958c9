"""Datasets as requests and answers have them."""

from typing import Annotated, Any

from fastapi import UploadFile
from pydantic import BaseModel, ConfigDict, Field

from assay.server.models.bodies import Body, ItemName, Note, QueryKey
from assay.server.models.queries import AnyReference, QueryModel

__all__ = [
    "DatasetItem",
    "DatasetList",
    "DatasetPatch",
    "DatasetUpload",
    "EditBody",
    "GradeBody",
    "LossList",
    "ReplacingUpload",
    "UploadCheck",
    "ValidatedUpload",
    "VersionItem",
    "VersionList",
]

MOST = 1_000  # queries that one edit changes
FORMAT = Annotated[
    str, Field(max_length=40, description="Format of the file; by default its content tells.")
]


class ValidatedUpload(BaseModel):
    """A file with a dataset."""

    model_config = ConfigDict(extra="forbid")

    file: UploadFile = Field(description="JSON, CSV, TREC, or any other format of `assay list`.")
    format: FORMAT = ""


class ReplacingUpload(ValidatedUpload):
    """A file with the next version of a dataset."""

    note: Note = Field("", description="What is new in this version.")


class DatasetUpload(ReplacingUpload):
    """A file with a new dataset."""

    name: Annotated[str, Field(max_length=200)] = Field(
        "", description="By default the name in the file, or the file's own."
    )


class DatasetPatch(Body):
    """What to change; a new description is a new version, a new name is not."""

    name: ItemName | None = None
    description: Note | None = None


class EditBody(Body):
    """Queries to change or add (by their keys), and queries to remove, as one new version."""

    put: list[QueryModel] = Field([], max_length=MOST)
    remove: list[QueryKey] = Field([], max_length=MOST)
    note: Note = ""


class GradeBody(Body):
    """Another grade of a document for a query; null removes the judgment."""

    query_key: QueryKey
    doc_ref: AnyReference
    relevance_grade: Annotated[int, Field(ge=-1_000, le=1_000)] | None
    note: Note = ""


class CountsItem(BaseModel):
    """How many were added, removed and changed."""

    added: int
    removed: int
    changed: int


class ChangesItem(BaseModel):
    """What a version changed."""

    queries: CountsItem
    judgments: CountsItem
    documents: CountsItem
    settings: bool
    reordered: bool


class VersionItem(BaseModel):
    """A version of a dataset, which never changes."""

    number: int
    author: str
    created: float
    note: str
    fingerprint: str
    queries: int
    judgments: int
    documents: int
    changes: ChangesItem
    restored: int | None


class VersionList(BaseModel):
    """Some versions of a dataset, the newest first."""

    items: list[VersionItem]
    next: str | None


class DatasetItem(BaseModel):
    """A dataset with its current version."""

    id: str
    name: str
    description: str
    revision: int
    created: float
    updated: float
    version: VersionItem
    deleted: float | None


class DatasetList(BaseModel):
    """Some datasets, the newest first."""

    items: list[DatasetItem]
    next: str | None


class ProblemItem(BaseModel):
    """A problem of a file: its place, and what to do."""

    where: str
    problem: str
    hint: str


class UploadCheck(BaseModel):
    """What an uploaded file contains, or all that is wrong with it; nothing is stored."""

    valid: bool
    problems: list[ProblemItem]
    problem_count: int = Field(description="Of all problems, of which only the first are listed.")
    name: str
    format: str
    format_reason: str = Field(description="Why the file is read in this format.")
    queries: int
    judgments: int
    documents: int
    scale: int
    grades: dict[str, int] = Field(description="How many judgments have each grade.")
    without_relevant: int = Field(description="Queries without a relevant document.")
    duplicates: list[dict[str, Any]] = Field(description="The first pairs of similar queries.")
    duplicate_count: int
    notes: list[str] = Field(description="What was left out or changed when it was read.")
    preview: list[QueryModel] = Field(description="The first queries.")


class LossList(BaseModel):
    """What a format cannot store of a dataset, a sentence for each kind of data."""

    losses: list[str]
