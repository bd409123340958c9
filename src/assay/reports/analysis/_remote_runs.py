"""Runs of which no load can be simulated, since they work on cores that are not known."""

from assay.records import Report
from assay.reports.runs.phrases.run_label import list_runs

__all__ = ["remote_runs"]


def remote_runs(report: Report) -> str:
    """Say whose capacity, cores and price are left out; nothing if nobody's are."""
    runs = (report.analysis.get("load") or {}).get("runs") or {}
    named = [run for run, one in runs.items() if not one["loads"] and one["capacity_qps"] is None]
    if not named:
        return ""
    are, its = ("is", "its") if len(named) == 1 else ("are", "their")
    return (
        f"{list_runs(report, named)} {are} asked as {'it' if are == 'is' else 'they'} {are}: "
        f"{its} wall clock stands for no core, so that capacity, cores and price are left out."
    )
