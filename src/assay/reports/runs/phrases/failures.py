"""Failures in words: which runs failed or were cancelled, and why."""

from assay.records import Report, Run
from assay.reports.runs.phrases.run_label import run_label
from assay.reports.runs.phrases.stopped_runs import stopped_runs

__all__ = ["failures"]

EACH = 5  # runs that the race stopped early and that get a line each


def failures(report: Report) -> list[str]:
    """Write a line for each run that failed or was stopped; many that were stopped share lines."""
    lost = [run for run in report.runs if run.status not in ("completed", "beaten")]
    told = [f"{run_label(report, run.name)}: {run.status}{_why(run)}" for run in lost]
    return [*told, *stopped_runs(report, most=EACH)]


def _why(run: Run) -> str:
    first = next(iter(run.failed.items()), None)
    why = run.error or (f"e.g. {first[0]}: {first[1]}" if first else "")
    return f": {' '.join(why.split())[:300]}" if why else ""
