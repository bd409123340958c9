"""Results: the report of a benchmark in any format, summed up, and query by query."""

import json
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from assay.records.service import BenchmarkStatus
from assay.server.computing import computing
from assay.server.etag import etag_of, not_modified
from assay.server.models.parameters import Cursor, Here, Identifier, Limit
from assay.server.models.report_bodies import QueryResultList, ReportKind
from assay.server.routes._answers import CACHED, find_present, json_answer
from assay.server.security.access import Viewer
from assay.server.state import Service
from assay.workflows.service.run_rows import RunRows, read_rows

__all__ = ["router"]

MEDIA: dict[str, str] = {
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "tex": "application/x-tex",
    "parquet": "application/vnd.apache.parquet",
    "svg": "image/svg+xml",
    "trec": "text/plain; charset=utf-8",
}
TEXT, BINARY = {"schema": {"type": "string"}}, {"schema": {"type": "string", "format": "binary"}}
OBJECT = {"schema": {"type": "object"}}
RunName = Annotated[
    str, Query(min_length=1, max_length=500, description="The name of a run, or an alias.")
]
router = APIRouter(
    prefix="/api/v1/benchmarks/{benchmark}",
    tags=["results"],
    responses=CACHED,
)


def _documented(*kinds: str) -> dict[int | str, dict[str, object]]:
    kept = {"parquet": BINARY, "json": OBJECT}
    content = {MEDIA[kind].partition(";")[0]: kept.get(kind, TEXT) for kind in kinds}
    return {200: {"description": "The report", "content": content}}


@router.get(
    "/report",
    response_class=Response,
    summary="Return the report of a benchmark",
    responses=_documented("json", "html", "md", "csv", "tex", "parquet"),
)
def get_report(
    benchmark: Identifier,
    _person: Viewer,
    service: Here,
    request: Request,
    format: Annotated[ReportKind, Query(description="As a page, as tables, as data.")] = "json",  # noqa: A002
    table: Annotated[
        str, Query(pattern="^(queries|scores)?$", description="Of csv, tex and parquet.")
    ] = "",
) -> Response:
    """Return the whole report; JSON is what `assay run -o report.json` writes."""
    tag, answer = _unchanged(_reported(service, benchmark), request, format, table)
    if answer is not None:
        return answer
    from assay.workflows.service.results import open_stored_report, stored_report

    headers = {"ETag": tag}
    if format == "json":
        with computing(service):
            content = stored_report(service.ledger, benchmark)
        return Response(content, media_type=MEDIA["json"], headers=headers)
    from assay.workflows.report_files.content import content as write

    name = ".".join(filter(None, ["report", table, format]))
    headers["Content-Disposition"] = f'attachment; filename="{benchmark}.{name}"'
    with computing(service):
        told = write(open_stored_report(service.ledger, benchmark), name)
    return Response(told, media_type=MEDIA[format], headers=headers)


@router.get(
    "/charts/{chart}",
    response_class=Response,
    summary="Draw a chart of a report",
    responses=_documented("svg"),
)
def get_chart(
    benchmark: Identifier,
    chart: Annotated[
        str, Path(pattern="^[a-z_]{1,40}$", description="GET /api/v1/lists/charts lists them.")
    ],
    _person: Viewer,
    service: Here,
    request: Request,
    run: Annotated[
        str | None, Query(max_length=500, description="Of a chart that is about one run.")
    ] = None,
) -> Response:
    """Return a chart as SVG; ``run`` selects the run of a chart that is about one."""
    tag, answer = _unchanged(_reported(service, benchmark), request, "svg", chart, run)
    if answer is not None:
        return answer
    from assay.workflows.report_files.content import content as write
    from assay.workflows.service.results import open_stored_report

    with computing(service):
        told = write(open_stored_report(service.ledger, benchmark), f"{chart}.svg", run=run)
    return Response(told, media_type=MEDIA["svg"], headers={"ETag": tag})


@router.get(
    "/results",
    response_class=Response,
    summary="Return the results without single queries",
    responses=_documented("json"),
)
def get_results(
    benchmark: Identifier, _person: Viewer, service: Here, request: Request
) -> Response:
    """Return scores, costs, comparisons and the verdict, without what is of single queries."""
    tag, answer = _unchanged(_reported(service, benchmark), request, "results")
    if answer is not None:
        return answer
    from assay.workflows.service.results import stored_report, summary_of

    with computing(service):
        told = summary_of(stored_report(service.ledger, benchmark))
        return json_answer(told, headers={"ETag": tag})


@router.get("/queries", summary="List the queries of a run", response_model=QueryResultList)
def list_query_results(
    *,
    benchmark: Identifier,
    run: RunName,
    _person: Viewer,
    service: Here,
    request: Request,
    limit: Limit = 50,
    cursor: Cursor = "",
    failed: Annotated[bool, Query(description="Only queries that failed.")] = False,
) -> Response:
    """Return scores and found documents of each query; the name of a run may hold any letter."""
    status = _reported(service, benchmark)
    tag, answer = _unchanged(status, request, "queries", run, limit, cursor, failed)
    if answer is not None:
        return answer
    page = _rows(service, status, run).page(limit=limit, cursor=cursor, failed=failed)
    after = json.dumps(page.next or None).encode()
    content = b'{"items":[' + b",".join(page.items) + b'],"next":' + after + b"}"
    return Response(content, media_type=MEDIA["json"], headers={"ETag": tag})


@router.get(
    "/rankings",
    response_class=Response,
    summary="Return a run as a run file",
    responses=_documented("trec", "json"),
)
def get_rankings(
    benchmark: Identifier, run: RunName, _person: Viewer, service: Here, request: Request
) -> Response:
    """Return what a run found, as TREC writes it; as JSON where an id holds a space."""
    tag, answer = _unchanged(_reported(service, benchmark), request, "rankings", run)
    if answer is not None:
        return answer
    from assay.workflows.service.results import open_stored_report
    from assay.workflows.service.run_file import run_file

    with computing(service):
        kind, content = run_file(open_stored_report(service.ledger, benchmark), run)
    return Response(content, media_type=MEDIA[kind], headers={"ETag": tag})


def _reported(service: Service, benchmark: str) -> BenchmarkStatus:
    """Return a benchmark that has a report."""
    from assay.workflows.service.results import refuse_unreported

    status = find_present(service, benchmark)
    refuse_unreported(status)
    return status


def _rows(service: Service, status: BenchmarkStatus, run: str) -> RunRows:
    """Return the queries of a run; pages after the first one neither read nor wait."""
    key = (status.id, status.revision, status.finished, run)
    if (known := service.rows.get(key)) is not None:
        return known
    from assay.workflows.service.results import stored_report

    with computing(service):
        found = service.rows.get(key)  # another request may have read them meanwhile
        if found is None:
            found = read_rows(stored_report(service.ledger, status.id), run)
            service.rows.put(key, found)
        return found


def _unchanged(
    status: BenchmarkStatus, request: Request, *parts: object
) -> tuple[str, Response | None]:
    """Return the tag of a part of a report, and the answer to a caller who has it already."""
    tag = etag_of(status.id, status.revision, status.finished, *parts)
    return tag, not_modified(request, tag)
