"""Jobs in the background other than benchmarks: listed and cancelled."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from assay.records.service import JobStatus
from assay.server.etag import etag_of, not_modified
from assay.server.models.jobs import JobItem, JobKindName, JobList, JobState
from assay.server.models.parameters import Cursor, Here, Identifier, Limit
from assay.server.routes._answers import CACHED, listed
from assay.server.security.access import Editor, Viewer

__all__ = ["router"]

Kind = Annotated[JobKindName | None, Query(description="Only jobs of this kind.")]
State = Annotated[JobState | None, Query(description="Only jobs in this state.")]

router = APIRouter(prefix="/api/v1/jobs", tags=["jobs"])


@router.get("", summary="List jobs")
def list_jobs(
    _person: Viewer,
    service: Here,
    limit: Limit = 50,
    cursor: Cursor = "",
    kind: Kind = None,
    state: State = None,
) -> JobList:
    """List jobs, the newest first; benchmarks have a list of their own."""
    page = service.ledger.jobs(limit=limit, cursor=cursor, kind=kind or "", state=state or "")
    return JobList.model_validate(listed(page, asdict))


@router.get("/{job}", summary="Show a job", response_model=JobItem, responses=CACHED)
def get_job(
    job: Identifier, _person: Viewer, service: Here, request: Request, response: Response
) -> Any:  # noqa: ANN401
    """Tell how far a job is, and what it came to."""
    found = service.ledger.job_status(job)
    tag = etag_of(found)
    response.headers["ETag"] = tag
    return not_modified(request, tag) or _item(found)


@router.post("/{job}/cancel", status_code=202, summary="Cancel a job")
def cancel_job(job: Identifier, person: Editor, service: Here) -> JobItem:
    """Cancel a job: at once, or as soon as its worker has stopped."""
    service.ledger.job_status(job)  # a benchmark is none
    service.ledger.request_cancel(job, author=person.name)
    service.dispatch.notify([job])
    return _item(service.ledger.job_status(job))


def _item(status: JobStatus) -> JobItem:
    return JobItem.model_validate(asdict(status))
