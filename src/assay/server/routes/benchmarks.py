"""Benchmarks: created, started, cancelled, gone on with, listed."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from assay.records.service import BenchmarkStatus
from assay.server.computing import computing
from assay.server.etag import not_modified, revision_tag
from assay.server.models.benchmark_bodies import (
    BenchmarkBody,
    BenchmarkDetail,
    BenchmarkItem,
    BenchmarkList,
    BenchmarkRuns,
    BenchmarkState,
    PlanItem,
    RetriedItem,
    item_of,
)
from assay.server.models.parameters import (
    Contains,
    Cursor,
    Here,
    IdempotencyKey,
    Identifier,
    Limit,
)
from assay.server.routes._answers import CACHED, Revision, find_present
from assay.server.security.access import Editor, Viewer
from assay.server.state import Service

__all__ = ["router"]

PLACE = "/api/v1/benchmarks"
State = Annotated[BenchmarkState | None, Query(description="Only benchmarks in this state.")]
router = APIRouter(prefix="/api/v1", tags=["benchmarks"])


@router.post("/benchmarks", status_code=201, summary="Create a benchmark over mappings")
def create_benchmark(
    body: BenchmarkBody,
    person: Editor,
    service: Here,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> BenchmarkDetail:
    """Check a benchmark, and note it with all its runs; nothing is executed until it is started.

    All that is wrong with it is answered at once. Cells of a matrix that come to the same are one
    run. The same Idempotency-Key with the same body answers with the same benchmark.
    """
    from assay.workflows.service.create_benchmark import create_benchmark as workflow

    with computing(service):
        id_, _ = workflow(
            body.request(),
            place=service.place,
            store=service.store,
            ledger=service.ledger,
            allowed=service.allowed,
            author=person.name,
            key=idempotency_key or "",
        )
    found = find_present(service, id_)
    response.headers["Location"] = f"{PLACE}/{id_}"
    return _detail(service, found, response)


@router.post("/plans", summary="Check a benchmark without creating it")
def plan_benchmark(body: BenchmarkBody, _person: Viewer, service: Here) -> PlanItem:
    """Tell which distinct runs a benchmark would have, or all that is wrong with it."""
    from assay.workflows.service.create_benchmark import read_request
    from assay.workflows.service.describe_benchmark import describe_plan

    with computing(service):
        asked, pins, _ = read_request(body.request(), store=service.store, allowed=service.allowed)
        return PlanItem.model_validate(describe_plan(asked, pins))


@router.get("/benchmarks", summary="List benchmarks, the newest first")
def list_benchmarks(
    _person: Viewer,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    contains: Contains = "",
    state: State = None,
    deleted: Annotated[bool, Query(description="List those that were deleted instead.")] = False,  # noqa: FBT002
) -> BenchmarkList:
    """List benchmarks, a page at a time; new ones do not shift the pages."""
    page = service.ledger.page(
        limit=limit, cursor=cursor, state=state or "", contains=contains, deleted=deleted
    )
    return BenchmarkList(items=[item_of(one) for one in page.items], next=page.next or None)


@router.get(
    "/benchmarks/{benchmark}",
    summary="Show a benchmark",
    response_model=BenchmarkDetail,
    responses=CACHED,
)
def get_benchmark(
    benchmark: Identifier, _person: Viewer, service: Here, request: Request, response: Response
) -> Any:  # noqa: ANN401
    """Return how far a benchmark is, and what it was asked for."""
    found = find_present(service, benchmark)
    return not_modified(request, _tag(found)) or _detail(service, found, response)


@router.get("/benchmarks/{benchmark}/runs", summary="List the runs of a benchmark")
def list_runs(benchmark: Identifier, _person: Viewer, service: Here) -> BenchmarkRuns:
    """Return how far each run is, in queries, and its settings."""
    find_present(service, benchmark)
    known = {one["name"]: one for one in _definition(service, benchmark)["runs"]}
    items: list[dict[str, Any]] = []
    for run in service.ledger.find_runs(benchmark):
        about = known.get(run.name, {"aliases": [], "configuration": {}})
        told = {"name": run.name, "state": run.state, "done": run.done, "total": run.total}
        items.append({**about, **told})
    return BenchmarkRuns.model_validate({"items": items})


@router.post("/benchmarks/{benchmark}/start", status_code=202, summary="Start a benchmark")
def start_benchmark(
    benchmark: Identifier,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
    idempotency_key: IdempotencyKey = None,
) -> BenchmarkItem:
    """Let workers begin with a benchmark that is pending, once: a second start is refused (409).

    The same Idempotency-Key sends the same start again.
    """
    _refuse_places(service, benchmark)
    key, author = idempotency_key or "", person.name
    started = service.ledger.start(benchmark, key=key, revision=revision, author=author)
    service.dispatch.notify([benchmark])
    return _item(started, response)


@router.post("/benchmarks/{benchmark}/cancel", status_code=202, summary="Cancel a benchmark")
def cancel_benchmark(
    benchmark: Identifier,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> BenchmarkItem:
    """Stop a benchmark that is pending or running; what was recorded is kept.

    While its workers stop it is `cancelling`.
    """
    find_present(service, benchmark)
    service.ledger.request_cancel(benchmark, revision=revision, author=person.name)
    service.dispatch.notify([benchmark])
    return _item(service.ledger.find(benchmark), response)


@router.post("/benchmarks/{benchmark}/resume", status_code=202, summary="Resume a benchmark")
def resume_benchmark(
    benchmark: Identifier,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> BenchmarkItem:
    """Go on with a benchmark that was cancelled or interrupted, or has failed."""
    _refuse_places(service, benchmark)
    service.ledger.resume(benchmark, revision=revision, author=person.name)
    service.dispatch.notify([benchmark])
    return _item(service.ledger.find(benchmark), response)


@router.post("/benchmarks/{benchmark}/retry", status_code=202, summary="Do again what failed")
def retry_benchmark(
    benchmark: Identifier,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> RetriedItem:
    """Ask again only what failed in a benchmark that has ended, and tell how much that is.

    What is completed is skipped.
    """
    _refuse_places(service, benchmark)
    retried = service.ledger.retry(benchmark, revision=revision, author=person.name)
    service.dispatch.notify([benchmark])
    return RetriedItem(retried=retried, benchmark=_item(service.ledger.find(benchmark), response))


@router.delete("/benchmarks/{benchmark}", summary="Delete a benchmark")
def delete_benchmark(
    benchmark: Identifier,
    person: Editor,
    service: Here,
    response: Response,
    revision: Revision,
) -> BenchmarkItem:
    """Mark a benchmark as deleted, unless it is running; `undelete` brings it back."""
    find_present(service, benchmark)
    service.ledger.delete(benchmark, revision=revision, author=person.name)
    return _item(service.ledger.find(benchmark), response)


@router.post("/benchmarks/{benchmark}/undelete", summary="Bring a deleted benchmark back")
def undelete_benchmark(
    benchmark: Identifier,
    person: Editor,
    service: Here,
    response: Response,
) -> BenchmarkItem:
    """Bring a benchmark back, if the mappings that it uses are there."""
    service.ledger.undelete(benchmark, author=person.name)
    return _item(service.ledger.find(benchmark), response)


def _refuse_places(service: Service, benchmark: str) -> None:
    """Refuse to read corpora that are not allowed any more: the list may have changed."""
    find_present(service, benchmark)
    for pin in service.ledger.job(benchmark).content.get("mappings", ()):
        service.allowed.refuse_corpus(pin["where"])


def _item(status: BenchmarkStatus, response: Response) -> BenchmarkItem:
    response.headers["ETag"] = _tag(status)
    return item_of(status)


def _tag(status: BenchmarkStatus) -> str:
    """Name what is answered: a revision does not count how far the benchmark is."""
    return revision_tag(status.revision, status)


def _detail(service: Service, status: BenchmarkStatus, response: Response) -> BenchmarkDetail:
    from assay.workflows.service.describe_benchmark import describe_stored

    told = _item(status, response).model_dump()
    defined = describe_stored(service.ledger, status.id)
    return BenchmarkDetail.model_validate({**told, "definition": defined})


def _definition(service: Service, benchmark: str) -> dict[str, Any]:
    from assay.workflows.service.describe_benchmark import describe_stored

    return describe_stored(service.ledger, benchmark) or {"runs": []}
