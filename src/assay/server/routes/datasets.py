"""Datasets: uploaded, checked, listed, renamed, replaced, deleted."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response

from assay.datasets.limits import Limits
from assay.records.dataset import Dataset
from assay.records.service import DatasetEntry
from assay.server.computing import computing
from assay.server.models.datasets import (
    DatasetItem,
    DatasetList,
    DatasetPatch,
    DatasetUpload,
    ReplacingUpload,
    UploadCheck,
    ValidatedUpload,
)
from assay.server.models.parameters import (
    Contains,
    Cursor,
    Deleted,
    Here,
    IdempotencyKey,
    Identifier,
    Limit,
)
from assay.server.models.queries import show_query
from assay.server.routes._answers import (
    CACHED,
    Revision,
    created,
    json_answer,
    listed,
    tagged,
    unless_known,
)
from assay.server.security.access import Editor, Viewer
from assay.server.settings import ServeSettings
from assay.server.state import Service

__all__ = ["router"]

MULTIPART = "multipart/form-data"

router = APIRouter(prefix="/api/v1/datasets", tags=["datasets"])


@router.post("", status_code=201, summary="Upload a dataset")
def create_dataset(
    form: Annotated[DatasetUpload, Form(media_type=MULTIPART)],
    person: Editor,
    service: Here,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> DatasetItem:
    """Store an uploaded dataset as version 1; all that is wrong with it is answered at once.

    Documents in the file become a corpus that has the id of the dataset. The same Idempotency-Key
    with the same file stores it once.
    """
    from assay.workflows.service.keep_dataset import create_dataset as workflow

    with computing(service):
        entry = workflow(
            service.store,
            _read(form, service),
            author=person.name,
            name=form.name,
            note=form.note,
            key=idempotency_key or "",
        )
    created(response, f"/api/v1/datasets/{entry.id}", entry.revision)
    return _item(entry)


@router.post("/validate", summary="Check a dataset without storing it", response_model=UploadCheck)
def validate_dataset(
    form: Annotated[ValidatedUpload, Form(media_type=MULTIPART)], _person: Editor, service: Here
) -> Response:
    """Tell what an uploaded file contains, or all that is wrong with it; nothing is stored."""
    from assay.workflows.uploads.check_upload import check_upload

    with computing(service):
        found = check_upload(
            form.file.file,
            name=form.file.filename or "",
            folder=service.settings.uploads,
            limits=_limits(service.settings),
            format=form.format,
        )
    told = {name: getattr(found, name) for name in UploadCheck.model_fields if name != "valid"}
    told |= {"valid": not found.problems, "notes": [*found.notes]}
    told["problems"] = [
        {"where": one.where, "problem": one.problem, "hint": one.hint} for one in found.problems
    ]
    told["duplicates"] = [dict(one) for one in found.duplicates]
    told["preview"] = [show_query(one) for one in found.preview]
    return json_answer(told)


@router.get("", summary="List datasets")
def list_datasets(
    *,
    _person: Viewer,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    contains: Contains = "",
    deleted: Deleted = False,
) -> DatasetList:
    """List datasets, the newest first."""
    page = service.store.datasets.page(
        limit=limit, cursor=cursor, contains=contains, deleted=deleted
    )
    return DatasetList.model_validate(listed(page, asdict))


@router.get("/{dataset}", summary="Show a dataset", response_model=DatasetItem, responses=CACHED)
def get_dataset(
    dataset: Identifier, _person: Viewer, service: Here, request: Request, response: Response
) -> Any:  # noqa: ANN401
    """Tell what is known of a dataset."""
    entry = service.store.datasets.get(dataset)
    return unless_known(request, response, entry.revision) or _item(entry)


@router.patch("/{dataset}", summary="Rename or describe a dataset")
def change_dataset(
    dataset: Identifier,
    body: DatasetPatch,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> DatasetItem:
    """Change the name or the description; what is not given stays. If one is refused both stay."""
    datasets, author = service.store.datasets, person.name
    if body.description is not None:
        entry = datasets.edit(
            dataset,
            name=body.name,
            description=body.description,
            revision=revision,
            author=author,
        )
    elif body.name is not None:
        entry = datasets.rename(dataset, body.name, revision=revision, author=author)
    else:
        entry = datasets.get(dataset)
    tagged(response, entry.revision)
    return _item(entry)


@router.put("/{dataset}/content", summary="Replace a dataset by an upload")
def replace_dataset(
    dataset: Identifier,
    form: Annotated[ReplacingUpload, Form(media_type=MULTIPART)],
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> DatasetItem:
    """Make an uploaded dataset the next version; name, mappings and older versions stay."""
    from assay.workflows.service.keep_dataset import replace_dataset as workflow

    service.store.datasets.get(dataset)  # before a large file is read in vain
    with computing(service):
        entry = workflow(
            service.store,
            dataset,
            _read(form, service),
            revision=revision,
            author=person.name,
            note=form.note,
        )
    tagged(response, entry.revision)
    return _item(entry)


@router.delete("/{dataset}", summary="Delete a dataset")
def delete_dataset(
    dataset: Identifier, person: Editor, service: Here, response: Response, revision: Revision
) -> DatasetItem:
    """Mark a dataset as deleted, unless a mapping uses it; it can be brought back for a while."""
    from assay.workflows.service.keep_dataset import delete_dataset as workflow

    entry = workflow(service.store, dataset, revision=revision, author=person.name)
    tagged(response, entry.revision)
    return _item(entry)


@router.post("/{dataset}/undelete", summary="Bring a deleted dataset back")
def undelete_dataset(
    dataset: Identifier, person: Editor, service: Here, response: Response
) -> DatasetItem:
    """Bring a dataset back with all its versions."""
    from assay.workflows.service.keep_dataset import undelete_dataset as workflow

    entry = workflow(service.store, dataset, author=person.name)
    tagged(response, entry.revision)
    return _item(entry)


def _read(form: ValidatedUpload, service: Service) -> Dataset:
    from assay.workflows.uploads.read_upload import read_upload

    return read_upload(
        form.file.file,
        name=form.file.filename or "",
        folder=service.settings.uploads,
        limits=_limits(service.settings),
        format=form.format,
    )


def _limits(settings: ServeSettings) -> Limits:
    return Limits(settings.upload_limit, settings.query_limit, settings.judgment_limit)


def _item(entry: DatasetEntry) -> DatasetItem:
    return DatasetItem.model_validate(asdict(entry))
