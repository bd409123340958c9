"""A stored report: as JSON, as a record, and its results without single queries."""

import json
from typing import TYPE_CHECKING, Any

from assay.errors import ConflictError, NotFoundError
from assay.records.service import BenchmarkStatus
from assay.workspace.ledger.ledger import Ledger

if TYPE_CHECKING:
    from assay.records import Report

__all__ = [
    "open_stored_report",
    "refuse_unreported",
    "stored_report",
    "summary_of",
]

PER_QUERY = ("per_query", "rankings", "ranking_scores", "ranking_symbols", "others")


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
