"""Failures in words: which runs came to nothing, and why."""

from assay.records import Report, Run

__all__ = ["failures"]


def failures(report: Report) -> list[str]:
    """Write a line for each run that failed or was stopped."""
    lost = [run for run in report.runs if run.status != "completed"]
    return [f"{run.name}: {run.status}{_why(run)}" for run in lost]


def _why(run: Run) -> str:
    first = next(iter(run.failed.items()), None)
    why = run.error or (f"e.g. {first[0]}: {first[1]}" if first else "")
    return f": {' '.join(why.split())[:300]}" if why else ""
