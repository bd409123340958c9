"""Datasets as files to download, and their audits."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from assay.server.computing import computing
from assay.server.models.datasets import LossList
from assay.server.models.parameters import AtVersion, Here, Identifier
from assay.server.routes._answers import json_answer
from assay.server.security.access import Viewer

__all__ = ["router"]

Format = Annotated[str, Query(max_length=40, description="assay_json, csv, beir, trec, ...")]

TEXT, BINARY = {"schema": {"type": "string"}}, {"schema": {"type": "string", "format": "binary"}}
TEXTS = ("text/csv", "text/tab-separated-values", "application/x-ndjson", "text/plain")
FILE: dict[str, Any] = {
    "description": "The file; a ZIP archive for formats of several files",
    "content": {
        "application/json": {"schema": {"type": "object"}},
        **dict.fromkeys(TEXTS, TEXT),
        "application/zip": BINARY,
    },
    "headers": {
        "Assay-Losses": {
            "description": "How many kinds of data the format cannot store.",
            "required": True,
            "schema": {"type": "integer"},
        },
        "Content-Disposition": {
            "description": "The name of the file.",
            "required": True,
            "schema": {"type": "string"},
        },
    },
}

router = APIRouter(prefix="/api/v1/datasets", tags=["datasets"])


@router.get(
    "/{dataset}/export",
    summary="Download a dataset",
    response_class=Response,
    responses={200: FILE},
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
    the documents of the dataset, or with a corpus of at most 2,000 documents.
    """
    from assay.reports.audits.json import json
    from assay.workflows.service.audit_stored import audit_stored

    with computing(service):
        found = audit_stored(service.store, dataset, version, corpus, allowed=service.allowed)
        return json_answer(json(found))
