"""What a comparison or a gate of a service is given: benchmarks of the ledger, reports, runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import UsageError
from assay.workflows.service.results import open_stored_report
from assay.workspace.ledger.ledger import Ledger

if TYPE_CHECKING:
    from assay.benchmarks.since.match import ReportSide

__all__ = ["SideRequest", "open_stored_side"]


@dataclass(frozen=True, slots=True)
class SideRequest:
    """A whole report, or a ``run`` of it: of a ``benchmark`` of the ledger, or as JSON."""

    benchmark: str | None = None
    report: Mapping[str, Any] | None = None
    run: str = ""


def open_stored_side(ledger: Ledger, asked: SideRequest, where: str) -> "ReportSide":
    """Open one side; nothing that it names is ever looked for among files."""
    from assay.benchmarks.since.match import ReportSide

    if (asked.benchmark is None) == (asked.report is None):
        hint = "give the id of a benchmark, or a report"
        raise UsageError(f"{where}: expected either benchmark or report", hint=hint)
    if asked.benchmark is not None:
        return ReportSide(asked.benchmark, open_stored_report(ledger, asked.benchmark), asked.run)
    from assay.reports.runs.json.read import report_of

    report = report_of(asked.report, where=where)
    return ReportSide(report.id or where, report, asked.run)
