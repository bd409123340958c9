"""Parts of a stored report: its results without single queries, and the queries of a run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import ConflictError, NotFoundError
from assay.records.pages import check_limit, make_page, read_cursor
from assay.records.service import BenchmarkStatus, Page
from assay.text.join_list import first_named
from assay.text.quote import quote_value
from assay.workspace.ledger.ledger import Ledger

if TYPE_CHECKING:
    from assay.records import Report

__all__ = [
    "open_stored_report",
    "query_results",
    "refuse_unreported",
    "stored_report",
    "summary_of",
]

PER_QUERY = ("per_query", "rankings", "ranking_scores", "ranking_symbols", "others")
CURSOR = "results"


@dataclass(frozen=True, slots=True)
class _Place:
    """A query of a run, and where it is in the list of all."""

    query: str
    place: int


def refuse_unreported(status: BenchmarkStatus) -> None:
    """Refuse a benchmark that has no report; ConflictError says why it has none."""
    if status.deleted:
        raise NotFoundError("the benchmark was deleted", where=status.id)
    if not status.reported:
        hint = "wait until it is completed" if status.state != "pending" else "start it first"
        problem = f"the benchmark has no report yet: it is {status.state}"
        raise ConflictError(problem, where=status.id, hint=hint)


def stored_report(ledger: Ledger, benchmark: str) -> bytes:
    """Return the report of a benchmark as JSON; ConflictError while it has none."""
    status = ledger.find(benchmark)
    refuse_unreported(status)
    content = ledger.report(status.id)
    if content is None:  # it was forgotten since
        raise NotFoundError("the report was removed", where=status.id)
    return content


def open_stored_report(ledger: Ledger, benchmark: str) -> "Report":
    """Read the report of a benchmark."""
    from assay.reports.runs.json.read import load_report

    return load_report(stored_report(ledger, benchmark), where=benchmark)


def summary_of(content: bytes) -> dict[str, Any]:
    """Return a report without what it has of single queries."""
    report: dict[str, Any] = json.loads(content)
    report.pop("queries", None)
    for run in report["runs"]:
        for key in PER_QUERY:
            run.pop(key, None)
        (run.get("latency_ms") or {}).pop("queries", None)
    return report


def query_results(
    content: bytes, run: str, *, limit: int, cursor: str = "", failed: bool = False
) -> Page[dict[str, Any]]:
    """List the queries of a run in their order, or only those that failed."""
    page, after = check_limit(limit), read_cursor(cursor, CURSOR, first=-1)
    report = json.loads(content)
    found = next((one for one in report["runs"] if run in (one["name"], *one["aliases"])), None)
    if found is None:
        names = [one["name"] for one in report["runs"]]
        hint = f"available: {first_named(names, 5)}"
        raise NotFoundError(f"unknown run {quote_value(run)}", where="run", hint=hint)
    scored = () if failed else found["per_query"]
    keys = [*scored, *(key for key in found["failed"] if key not in scored)]
    rows = [_Place(key, at) for at, key in enumerate(keys)][after + 1 : after + 1 + page]
    queries = report.get("queries") or {}
    return make_page(rows, limit, CURSOR, lambda row: _query(row.query, found, queries), at="place")


def _query(key: str, run: Mapping[str, Any], queries: Mapping[str, Any]) -> dict[str, Any]:
    about = queries.get(key) or {}
    ranking = (run.get("rankings") or {}).get(key, [])
    scores = (run.get("ranking_scores") or {}).get(key) or [None] * len(ranking)
    judged = about.get("judged") or {}
    return {
        "query": key,
        "text": about.get("text", ""),
        "scores": run["per_query"].get(key, {}),
        "latency_ms": ((run.get("latency_ms") or {}).get("queries") or {}).get(key),
        "error": run["failed"].get(key),
        "results": [
            {"document": document, "score": score, "grade": judged.get(document)}
            for document, score in zip(ranking, scores, strict=False)
        ],
    }
