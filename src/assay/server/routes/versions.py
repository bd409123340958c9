"""Versions of datasets: listed and restored."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Response

from assay.server.models.datasets import DatasetItem, VersionItem, VersionList
from assay.server.models.parameters import Cursor, Here, Identifier, Limit
from assay.server.routes._answers import Revision, listed, tagged
from assay.server.security.access import Editor, Viewer

__all__ = ["router"]

Number = Annotated[int, Path(ge=1, le=2**53, description="Number of a version.")]

router = APIRouter(prefix="/api/v1/datasets", tags=["datasets"])


@router.get("/{dataset}/versions", summary="List the versions of a dataset")
def list_versions(
    dataset: Identifier, _person: Viewer, service: Here, limit: Limit = 50, cursor: Cursor = ""
) -> VersionList:
    """List versions, the newest first: who made each, when, and what it changed."""
    page = service.store.datasets.versions(dataset, limit=limit, cursor=cursor)
    return VersionList.model_validate(listed(page, asdict))


@router.get("/{dataset}/versions/{number}", summary="Show a version of a dataset")
def get_version(dataset: Identifier, number: Number, _person: Viewer, service: Here) -> VersionItem:
    """Tell who made a version, when, and what it changed."""
    return VersionItem.model_validate(asdict(service.store.datasets.version(dataset, number)))


@router.post("/{dataset}/versions/{number}/restore", summary="Restore a version of a dataset")
def restore_version(
    dataset: Identifier,
    number: Number,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> DatasetItem:
    """Make a new version with the content of an older one."""
    entry = service.store.datasets.restore(dataset, number, revision=revision, author=person.name)
    tagged(response, entry.revision)
    return DatasetItem.model_validate(asdict(entry))
