"""Datasets: uploaded, checked, listed, edited, replaced, exported, deleted."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request, Response

from assay.datasets.limits import Limits
from assay.records.dataset import Dataset
from assay.records.service import DatasetEntry
from assay.server.computing import computing
from assay.server.models.datasets import (
    DatasetItem,
    DatasetList,
    DatasetPatch,
    DatasetUpload,
    EditBody,
    GradeBody,
    LossList,
    ReplacingUpload,
    UploadCheck,
    ValidatedUpload,
    VersionItem,
    VersionList,
)
from assay.server.models.parameters import (
    Contains,
    Cursor,
    Here,
    IdempotencyKey,
    Identifier,
    Limit,
)
from assay.server.models.queries import (
    QueryHistory,
    QueryPage,
    make_query,
    make_reference,
    show_query,
)
from assay.server.routes._answers import (
    CACHED,
    PROBLEMS,
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
Deleted = Annotated[bool, Query(description="Those that are marked as deleted.")]
AtVersion = Annotated[
    int | None, Query(ge=1, le=2**53, description="Version; by default the current one.")
]
Number = Annotated[int, Path(ge=1, le=2**53, description="Number of a version.")]
Key = Annotated[str, Query(min_length=1, max_length=10_000, description="Key of the query.")]
Format = Annotated[str, Query(max_length=40, description="assay_json, csv, beir, trec, ...")]

router = APIRouter(prefix="/api/v1/datasets", tags=["datasets"], responses=PROBLEMS)


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


@router.post("/validate", summary="Check a dataset without storing it")
def validate_dataset(
    form: Annotated[ValidatedUpload, Form(media_type=MULTIPART)], _person: Editor, service: Here
) -> UploadCheck:
    """Tell what an uploaded file contains, or all that is wrong with it; nothing is stored."""
    from assay.workflows.service.check_upload import check_upload

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
    return UploadCheck.model_construct(**told)


@router.get("", summary="List datasets")
def list_datasets(
    _person: Viewer,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    contains: Contains = "",
    deleted: Deleted = False,  # noqa: FBT002
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
    """Change the name or the description; what is not given stays."""
    datasets, author = service.store.datasets, person.name
    entry = datasets.get(dataset)
    if body.name is not None:
        entry = datasets.rename(dataset, body.name, revision=revision, author=author)
        revision = None if revision is None else entry.revision
    if body.description is not None:
        entry = datasets.edit(
            dataset, description=body.description, revision=revision, author=author
        )
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


@router.get("/{dataset}/queries", summary="List the queries of a dataset", response_model=QueryPage)
def list_queries(
    dataset: Identifier,
    _person: Viewer,
    service: Here,
    version: AtVersion = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """List the queries of a version with their judgments, in its order."""
    page = service.store.datasets.queries(dataset, version=version, limit=limit, cursor=cursor)
    return json_answer(listed(page, show_query))


@router.patch("/{dataset}/queries", summary="Edit queries of a dataset")
def edit_queries(
    dataset: Identifier,
    body: EditBody,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> DatasetItem:
    """Change queries or add new ones (by their keys), and remove some, as one new version."""
    put = [make_query(one) for one in body.put]
    _refuse_many(put, service.settings)
    entry = service.store.datasets.edit(
        dataset,
        put=put,
        remove=body.remove,
        revision=revision,
        author=person.name,
        note=body.note,
    )
    tagged(response, entry.revision)
    return _item(entry)


@router.patch("/{dataset}/grades", summary="Change the grade of a document")
def edit_grade(
    dataset: Identifier,
    body: GradeBody,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> DatasetItem:
    """Give a document another grade for a query, or a first one; null removes the judgment."""
    entry = service.store.datasets.edit_grade(
        dataset,
        body.query_key,
        make_reference(body.doc_ref),
        body.relevance_grade,
        revision=revision,
        author=person.name,
        note=body.note,
    )
    tagged(response, entry.revision)
    return _item(entry)


@router.get("/{dataset}/history", summary="Show the history of a query", response_model=QueryHistory)
def get_query_history(
    dataset: Identifier, query_key: Key, _person: Viewer, service: Here
) -> Response:
    """Tell all that a query ever was, the newest first."""
    found = service.store.datasets.history(dataset, query_key)
    rows = [
        {"since": one.since, "until": one.until, "query": show_query(one.query)} for one in found
    ]
    return json_answer({"items": rows})


@router.get("/{dataset}/versions", summary="List the versions of a dataset")
def list_versions(
    dataset: Identifier, _person: Viewer, service: Here, limit: Limit = 50, cursor: Cursor = ""
) -> VersionList:
    """List versions, the newest first: who made each, when, and what it changed."""
    page = service.store.datasets.versions(dataset, limit=limit, cursor=cursor)
    return VersionList.model_validate(listed(page, asdict))


@router.get("/{dataset}/versions/{number}", summary="Show a version of a dataset")
def get_version(
    dataset: Identifier, number: Number, _person: Viewer, service: Here
) -> VersionItem:
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
    entry = service.store.datasets.restore(
        dataset, number, revision=revision, author=person.name
    )
    tagged(response, entry.revision)
    return _item(entry)


@router.get(
    "/{dataset}/export",
    summary="Download a dataset",
    response_class=Response,
    responses={
        200: {
            "description": "The file; a ZIP archive for formats of several files.",
            "content": {"application/octet-stream": {"schema": {"type": "string"}}},
        }
    },
)
def export_dataset(
    dataset: Identifier,
    _person: Viewer,
    service: Here,
    format: Format = "assay_json",  # noqa: A002
    version: AtVersion = None,
) -> Response:
    """Write a version in a format that `assay dataset convert` writes.

    The header Assay-Losses counts the kinds of data that the format cannot store; ``export/losses``
    tells which these are.
    """
    from assay.workflows.service.export_dataset import export_dataset as workflow

    with computing(service):
        found = service.store.datasets.read(dataset, version)
        done = workflow(found, format=format, folder=service.settings.uploads)
    headers = {
        "Content-Disposition": f'attachment; filename="{done.file_name}"',
        "Assay-Losses": str(len(done.losses)),
    }
    return Response(done.content, media_type=done.media_type, headers=headers)


@router.get("/{dataset}/export/losses", summary="Tell what an export cannot store")
def list_losses(
    dataset: Identifier,
    _person: Viewer,
    service: Here,
    format: Format = "assay_json",  # noqa: A002
    version: AtVersion = None,
) -> LossList:
    """Tell what of a version a format cannot store."""
    from assay.workflows.service.export_dataset import export_dataset as workflow

    with computing(service):
        found = service.store.datasets.read(dataset, version)
        done = workflow(found, format=format, folder=service.settings.uploads)
    return LossList(losses=[*done.losses])


@router.get("/{dataset}/audit", summary="Audit a dataset", response_model=dict[str, Any])
def audit_dataset(
    dataset: Identifier,
    _person: Viewer,
    service: Here,
    version: AtVersion = None,
    corpus: Annotated[str, Query(max_length=64, description="Id of a corpus to check with.")] = "",
) -> Response:
    """Tell which differences a dataset can detect, and which defects it has.

    The answer is what `assay dataset audit --json` prints. Checks that need documents are made with
    the documents of the dataset, or with a corpus.
    """
    from assay.reports.audits.json import json
    from assay.workflows.service.audit_stored import audit_stored

    with computing(service):
        return json_answer(json(audit_stored(service.store, dataset, version, corpus)))


def _read(form: ValidatedUpload, service: Service) -> Dataset:
    from assay.workflows.service.read_upload import read_upload

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
