"""Corpora: created, listed, moved, indexed, deleted."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request, Response

from assay.records.service import CorpusEntry
from assay.server.models.corpora import CorpusBody, CorpusItem, CorpusList, CorpusPatch, IndexBody
from assay.server.models.jobs import JobItem
from assay.server.models.parameters import (
    Contains,
    Cursor,
    Deleted,
    Here,
    IdempotencyKey,
    Identifier,
    Limit,
)
from assay.server.routes._answers import (
    CACHED,
    Revision,
    created,
    listed,
    tagged,
    unless_known,
)
from assay.server.security.access import Editor, Viewer

__all__ = ["router"]

router = APIRouter(prefix="/api/v1/corpora", tags=["corpora"])


@router.post("", status_code=201, summary="Create a corpus")
def create_corpus(
    body: CorpusBody,
    person: Editor,
    service: Here,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> CorpusItem:
    """Note a corpus in a folder that the administrator allows; it is read when it is needed."""
    from assay.workflows.service.keep_corpus import create_corpus as workflow

    entry = workflow(
        service.store,
        body.name,
        body.where,
        allowed=service.allowed,
        author=person.name,
        key=idempotency_key or "",
    )
    created(response, f"/api/v1/corpora/{entry.id}", entry.revision)
    return _item(entry)


@router.get("", summary="List corpora")
def list_corpora(
    *,
    _person: Viewer,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    contains: Contains = "",
    deleted: Deleted = False,
) -> CorpusList:
    """List corpora, the newest first."""
    page = service.store.corpora.page(
        limit=limit, cursor=cursor, contains=contains, deleted=deleted
    )
    return CorpusList.model_validate(listed(page, asdict))


@router.get("/{corpus}", summary="Show a corpus", response_model=CorpusItem, responses=CACHED)
def get_corpus(
    corpus: Identifier, _person: Viewer, service: Here, request: Request, response: Response
) -> Any:  # noqa: ANN401
    """Tell where a corpus is, and what its last reading found."""
    entry = service.store.corpora.get(corpus)
    return unless_known(request, response, entry.revision) or _item(entry)


@router.patch("/{corpus}", summary="Rename or move a corpus")
def change_corpus(
    corpus: Identifier,
    body: CorpusPatch,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> CorpusItem:
    """Change the name or the place; what is not given stays. If one is refused both stay."""
    from assay.workflows.service.keep_corpus import move_corpus

    corpora, author = service.store.corpora, person.name
    if body.where is not None:
        entry = move_corpus(
            service.store,
            corpus,
            body.where,
            allowed=service.allowed,
            name=body.name,
            revision=revision,
            author=author,
        )
    elif body.name is not None:
        entry = corpora.rename(corpus, body.name, revision=revision, author=author)
    else:
        entry = corpora.get(corpus)
    tagged(response, entry.revision)
    return _item(entry)


@router.delete("/{corpus}", summary="Delete a corpus")
def delete_corpus(
    corpus: Identifier, person: Editor, service: Here, response: Response, revision: Revision
) -> CorpusItem:
    """Mark a corpus as deleted, unless a mapping uses it; its files are left alone."""
    entry = service.store.corpora.delete(corpus, revision=revision, author=person.name)
    tagged(response, entry.revision)
    return _item(entry)


@router.post("/{corpus}/undelete", summary="Bring a deleted corpus back")
def undelete_corpus(
    corpus: Identifier, person: Editor, service: Here, response: Response
) -> CorpusItem:
    """Bring a corpus back."""
    entry = service.store.corpora.undelete(corpus, author=person.name)
    tagged(response, entry.revision)
    return _item(entry)


@router.post("/{corpus}/index", status_code=202, summary="Index a corpus")
def index_corpus(
    corpus: Identifier, body: IndexBody, person: Editor, service: Here, response: Response
) -> JobItem:
    """Let a worker bring the index of a corpus up to date: only what changed is read again."""
    from assay.workflows.service.background import index_later

    service.allowed.refuse_settings("configuration", body.configuration)
    entry = service.store.corpora.get(corpus)
    service.allowed.refuse_corpus(entry.where)  # the list may have changed since it was noted
    allowed, author = service.allowed, person.name
    job = index_later(service.ledger, entry, body.configuration, allowed=allowed, author=author)
    service.dispatch.notify([job.id])
    created(response, f"/api/v1/jobs/{job.id}")
    return JobItem.model_validate(asdict(job))


def _item(entry: CorpusEntry) -> CorpusItem:
    return CorpusItem.model_validate(asdict(entry))
