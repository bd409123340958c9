"""Runs whose load cannot be simulated: external systems, whose cores are not known."""

from assay.records import Report
from assay.reports.runs.phrases.run_label import list_runs

__all__ = ["remote_runs"]


def remote_runs(report: Report) -> str:
    """Name the runs without capacity, cores and price; nothing where there are none."""
    runs = (report.analysis.get("load") or {}).get("runs") or {}
    named = [run for run, one in runs.items() if not one["loads"] and one["capacity_qps"] is None]
    if not named:
        return ""
    many = len(named) > 1
    are, its = ("are external systems", "their") if many else ("is an external system", "its")
    priced = all(run in (report.benchmark.get("prices") or {}) for run in named)
    what = "capacity and cores" if priced else "capacity, cores and price"
    return (
        f"{list_runs(report, named)} {are}: {its} latency does not show how many cores "
        f"{'they use' if many else 'it uses'}, so {what} are not estimated."
    )
