"""Recommendations in words: which run is the best by one measure."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.runs.phrases.run_label import label_runs, list_runs, run_label

__all__ = ["recommendations"]

NAMES = {
    "best_quality": "best quality",
    "fastest": "fastest",
    "best_recall": "best recall",
    "best_balance": "best balance of quality and speed",
    "smallest": "smallest",
}

BALANCE = "mean of quality / best quality and of speed from 0 (slowest p50) to 1 (fastest)"


def recommendations(report: Report) -> list[str]:
    """Write a line for each question but the picks; a single run is the best of nothing."""
    if sum(run.status == "completed" for run in report.runs) < 2:
        return []
    told = report.recommendations.items()
    return [
        f"{NAMES.get(key, key.replace('_', ' '))}: {_said(report, one)}"
        for key, one in told
        if one and not key.startswith("pick")
    ]


def _said(report: Report, one: Mapping[str, Any]) -> str:
    """Name the run and what it was chosen by."""
    if one.get("run") is None:
        return f"none: {label_runs(report, str(one.get('reason') or ''))}".strip()
    return f"{one['run']} ({_figure(one)}{_unsure(report, one)})"


def _unsure(report: Report, one: Mapping[str, Any]) -> str:
    """Say that the runner-up is not significantly worse, or equal where nothing is estimated."""
    known = one.get("uncertainty")
    if not isinstance(known, Mapping) or known.get("told_apart") is not False:
        return ""
    if known.get("equal"):
        return f"; {label_runs(report, str(known.get('sentence')))}"
    runner_up = known.get("runner_up")
    if not runner_up:
        return ""
    by, value = str(one.get("by")), one.get("value")
    others = [run.name for run in report.runs if run.name != one["run"]]
    equal = {run.name for run in report.runs if value is not None and run.scores.get(by) == value}
    if tied := [name for name in others if name in equal]:
        return f"; tied with {list_runs(report, tied)}"
    relation = "not significantly better than"
    relation = "balance not significantly better than that of" if by == "balance" else relation
    return f"; {relation} {run_label(report, runner_up)}"


def _figure(one: Mapping[str, Any]) -> str:
    by, value = str(one.get("by")), one.get("value")
    if value is None:
        return by
    if by.startswith("latency_") and by.endswith("_ms"):
        return f"{by.removeprefix('latency_').removesuffix('_ms')} {value:,.2f} ms"
    if by == "bytes_per_document":
        return f"{value:,.0f} bytes per document"
    return f"{value:.2f}, {BALANCE}" if by == "balance" else f"{by} {value:.4f}"
