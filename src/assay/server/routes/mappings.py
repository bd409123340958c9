"""Mappings of datasets onto corpora: created, resolved, completed by hand, deleted."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from assay.records.service import JobStatus, MappingEntry, ReferenceChoice, UnresolvedReference
from assay.server.etag import not_modified, revision_tag
from assay.server.models.jobs import JobItem
from assay.server.models.mappings import (
    ChoiceBody,
    ChoiceList,
    MappingBody,
    MappingItem,
    MappingList,
    MappingState,
    UndoBody,
    UnresolvedList,
)
from assay.server.models.parameters import Cursor, Deleted, Here, IdempotencyKey, Identifier, Limit
from assay.server.models.queries import make_reference, show_reference
from assay.server.routes._answers import CACHED, Revision, created, json_answer, listed
from assay.server.security.access import Editor, Viewer
from assay.server.state import Service

__all__ = ["router"]

Of = Annotated[str, Query(max_length=64, description="Only those with this id.")]
State = Annotated[MappingState | None, Query(description="Only mappings in this state.")]

router = APIRouter(prefix="/api/v1/mappings", tags=["mappings"])


@router.post("", status_code=201, summary="Map a dataset onto a corpus")
def create_mapping(
    body: MappingBody,
    person: Editor,
    service: Here,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> MappingItem:
    """Map a version of a dataset onto a corpus; a job in the background resolves it.

    The state is pending until then; ``job`` tells how far it is. The same Idempotency-Key with the
    same body answers with the same mapping.
    """
    from assay.workflows.service.keep_mapping import create_mapping as workflow

    service.allowed.refuse_corpus(service.store.corpora.get(body.corpus).where)
    entry = workflow(
        service.store,
        service.ledger,
        body.dataset,
        body.corpus,
        allowed=service.allowed,
        version=body.version,
        author=person.name,
        key=idempotency_key or "",
    )
    created(response, f"/api/v1/mappings/{entry.id}")
    item = _answer(entry, service, response)
    if item.job is not None:
        service.dispatch.notify([item.job.id])
    return item


@router.get("", summary="List mappings")
def list_mappings(
    *,
    _person: Viewer,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    dataset: Of = "",
    corpus: Of = "",
    state: State = None,
    deleted: Deleted = False,
) -> MappingList:
    """List mappings, the newest first: all, or those of a dataset, a corpus, or a state."""
    page = service.store.mappings.page(
        dataset=dataset,
        corpus=corpus,
        state=state or "",
        limit=limit,
        cursor=cursor,
        deleted=deleted,
    )
    return MappingList.model_validate(listed(page, lambda one: {**asdict(one), "job": None}))


@router.get("/{mapping}", summary="Show a mapping", response_model=MappingItem, responses=CACHED)
def get_mapping(
    mapping: Identifier, _person: Viewer, service: Here, request: Request, response: Response
) -> Any:  # noqa: ANN401
    """Tell how many of the expected items of a mapping were found, and how far its job is."""
    found = _answer(service.store.mappings.get(mapping), service, response)
    return not_modified(request, response.headers["ETag"]) or found


@router.post("/{mapping}/resolve", status_code=202, summary="Resolve a mapping again")
def resolve_mapping(
    mapping: Identifier, person: Editor, service: Here, response: Response
) -> JobItem:
    """Let a worker resolve a mapping; while one is about to, the answer is its job."""
    from assay.workflows.service.background import resolve_later

    entry = service.store.mappings.get(mapping)
    service.allowed.refuse_corpus(service.store.corpora.get(entry.corpus).where)
    allowed, author = service.allowed, person.name
    job = resolve_later(service.ledger, entry, allowed=allowed, author=author)
    service.dispatch.notify([job.id])
    created(response, f"/api/v1/jobs/{job.id}")
    return _job(job)


@router.get(
    "/{mapping}/unresolved", summary="List unresolved references", response_model=UnresolvedList
)
def list_unresolved(
    mapping: Identifier, _person: Viewer, service: Here, limit: Limit = 50, cursor: Cursor = ""
) -> Response:
    """List the references that lead nowhere: why, and which documents they may mean.

    ``chosen_document`` is what was chosen by hand and is not in the corpus.
    """
    page = service.store.mappings.unresolved(mapping, limit=limit, cursor=cursor)
    return json_answer(listed(page, _unresolved))


@router.get("/{mapping}/choices", summary="List choices by hand", response_model=ChoiceList)
def list_choices(mapping: Identifier, _person: Viewer, service: Here) -> Response:
    """List what was chosen by hand for the dataset and the corpus of a mapping."""
    found = service.store.mappings.choices(mapping)
    return json_answer({"items": [_choice(one) for one in found]})


@router.post("/{mapping}/choices", summary="Choose a document by hand")
def choose_document(
    mapping: Identifier,
    body: ChoiceBody,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> MappingItem:
    """Say which document a reference means, in every mapping of the dataset and the corpus.

    The counts change at once. A document that the corpus does not have is refused; a corpus of
    more than 10,000 documents is not read for that. A choice survives resolving again; if its
    document is not in the corpus then, the reference counts as unresolved.
    """
    from assay.workflows.service.keep_mapping import choose_document as workflow

    entry = workflow(
        service.store,
        mapping,
        make_reference(body.reference),
        body.document,
        allowed=service.allowed,
        revision=revision,
        author=person.name,
    )
    return _answer(entry, service, response)


@router.post("/{mapping}/choices/undo", summary="Take a choice back")
def undo_choice(
    mapping: Identifier,
    body: UndoBody,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> MappingItem:
    """Take a choice back; a mapping that was resolved with it is pending again."""
    entry = service.store.mappings.unchoose(
        mapping, make_reference(body.reference), revision=revision, author=person.name
    )
    return _answer(entry, service, response)


@router.delete("/{mapping}", summary="Delete a mapping")
def delete_mapping(
    mapping: Identifier, person: Editor, service: Here, response: Response, revision: Revision
) -> MappingItem:
    """Mark a mapping as deleted, unless a benchmark uses it; it can be brought back for a while."""
    entry = service.store.mappings.delete(mapping, revision=revision, author=person.name)
    return _answer(entry, service, response)


@router.post("/{mapping}/undelete", summary="Bring a deleted mapping back")
def undelete_mapping(
    mapping: Identifier, person: Editor, service: Here, response: Response
) -> MappingItem:
    """Bring a mapping back, if its dataset and its corpus are there."""
    entry = service.store.mappings.undelete(mapping, author=person.name)
    return _answer(entry, service, response)


def _answer(entry: MappingEntry, service: Service, response: Response) -> MappingItem:
    """Show a mapping with its last job, whose state its revision does not count."""
    from assay.workflows.service.background import last_resolving

    last = last_resolving(service.ledger, entry.id)
    response.headers["ETag"] = revision_tag(entry.revision, entry, last)
    job = None if last is None else asdict(last)
    return MappingItem.model_validate({**asdict(entry), "job": job})


def _job(status: JobStatus) -> JobItem:
    return JobItem.model_validate(asdict(status))


def _unresolved(one: UnresolvedReference) -> dict[str, Any]:
    told: dict[str, Any] = {"reason": one.reason, "candidates": [*one.candidates]}
    told |= {"chosen_document": one.chosen} if one.chosen else {}
    return {"query_key": one.query, "reference": show_reference(one.reference), **told}


def _choice(one: ReferenceChoice) -> dict[str, Any]:
    told = {"document": one.document, "author": one.author, "created": one.created}
    return {"reference": show_reference(one.reference), **told}
