"""Recommendations in words: which run is the best by what."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.runs.called import called, worded
from assay.reports.runs.reconciled import is_for_now, reconciled

__all__ = ["recommendations"]

NAMES = {
    "best_quality": "best quality",
    "fastest": "fastest",
    "best_recall": "best recall",
    "best_balance": "best balance of quality and speed",
    "smallest": "smallest",
    "pick": "pick",
    "pick_within_budgets": "pick within the budgets",
}


def recommendations(report: Report, *, picks: bool = False) -> list[str]:
    """Write a line for each, or for ``picks`` alone.

    A single run is the best of nothing, but one that a race left is what all others lost to.
    """
    if sum(run.status == "completed" for run in report.runs) < 2:
        if not report.race.get("beaten"):
            return []
        picks = True
    told = report.recommendations.items()
    said = [(key, one) for key, one in told if one and (key.startswith("pick") or not picks)]
    return [f"{_label(report, key, one)}: {_said(report, key, one)}" for key, one in said]


def _label(report: Report, key: str, one: Mapping[str, Any]) -> str:
    """Name the question; what is chosen for want of evidence is no advice to stay with."""
    name = NAMES.get(key, key.replace("_", " "))
    for_now = key.startswith("pick") and is_for_now(report, one)
    return name.replace("pick", "pick for now", 1) if for_now else name


def _said(report: Report, key: str, one: Mapping[str, Any]) -> str:
    """Name the run and what it was chosen by; the reason of a pick is more than its figure."""
    reason = worded(report, str(one.get("reason") or "").strip())
    reason = reason[:1].upper() + reason[1:]
    if one.get("run") is None:
        return f"none. {reason}".strip()
    if key.startswith("pick") and reason:
        told = reconciled(report, one)
        return f"{one['run']}. {reason}{f'. {told}' if told else ''}"
    return f"{one['run']} ({_figure(one)}{_unsure(report, one)})"


def _unsure(report: Report, one: Mapping[str, Any]) -> str:
    """Say that the next best could as well be the best, or is equal where nothing is estimated."""
    known = one.get("uncertainty")
    if not isinstance(known, Mapping) or known.get("told_apart") is not False:
        return ""
    if known.get("equal"):
        return f"; {worded(report, str(known.get('sentence')))}"
    runner_up = known.get("runner_up")
    return f"; {called(report, runner_up) if runner_up else 'the next'} may be as good"


def _figure(one: Mapping[str, Any]) -> str:
    by, value = str(one.get("by")), one.get("value")
    if value is None:
        return by
    if by.startswith("latency_") and by.endswith("_ms"):
        return f"{by.removeprefix('latency_').removesuffix('_ms')} {value:,.2f} ms"
    if by == "bytes_per_document":
        return f"{value:,.0f} bytes a document"
    return f"{value:.2f}" if by == "balance" else f"{by} {value:.4f}"
