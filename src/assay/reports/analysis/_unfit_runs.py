"""Runs that no sentence should praise: those with failed queries, and those refused."""

from collections.abc import Iterable

from assay.records import Report
from assay.reports.runs.phrases.run_label import list_runs

__all__ = ["left_out", "unfit_runs", "whole"]


def whole(report: Report, runs: Iterable[str]) -> list[str]:
    """Keep the runs without failed queries: what fails takes no time, and finds nothing."""
    failing = {run.name for run in report.runs if run.errors}
    return [run for run in runs if run not in failing]


def left_out(report: Report, runs: Iterable[str]) -> str:
    """Name the runs with failed queries, in a sentence; nothing where there are none."""
    every = [*runs]
    kept = whole(report, every)
    failing = [run for run in every if run not in kept]
    return f"Not included: {list_runs(report, failing)} (failed queries)." if failing else ""


def unfit_runs(report: Report, runs: Iterable[str]) -> list[str]:
    """Find the runs whose verdict is DON'T SHIP."""
    told = report.comparisons.candidates if report.comparisons is not None else ()
    known = {one.run for one in told if one.verdict.outcome == "dont_ship"}
    return [run for run in runs if run in known]
