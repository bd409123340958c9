"""Uplift: what each run gains over the baseline, absolute and relative, with intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Cell, Report, Table
from assay.reports.analysis._named import short
from assay.reports.analysis._ranges import ranged

__all__ = ["uplift"]


def uplift(report: Report) -> Table | None:
    """Lay out the primary metric in full, and of the others the relative gain."""
    found = report.analysis.get("uplift") or {}
    primary = str(report.benchmark["primary"])
    told = {run: one["metrics"] for run, one in found.items() if primary in one["metrics"]}
    if not told:
        return None
    others = [name for name in next(iter(told.values())) if name != primary]
    rows = [_row(run, metrics, primary, others) for run, metrics in told.items()]
    texts = {}
    for at, metrics in enumerate(told.values()):
        one = metrics[primary]
        texts[at, 1] = ranged(one["absolute"], one["ci"])
        texts[at, 2] = ranged(one["relative"], one["relative_ci"], "+.1%")
        rest = [metrics.get(name, {}).get("relative") for name in others]
        texts |= {(at, c): _percent(value) for c, value in enumerate(rest, 3)}
    baseline = short(next(iter(found.values()))["baseline"])
    titles = ("run", primary, "relative", *(f"{name} rel." for name in others))
    return Table(titles, rows, _said(told, primary, baseline), texts=texts)


def _row(run: str, metrics: Mapping[str, Any], primary: str, others: Sequence[str]) -> list[Cell]:
    rest = [metrics.get(name, {}).get("relative") for name in others]
    return [run, metrics[primary]["absolute"], metrics[primary]["relative"], *rest]


def _said(told: Mapping[str, Any], primary: str, baseline: str) -> str:
    most = max(told, key=lambda run: float(told[run][primary]["absolute"]))
    one = told[most][primary]
    if one["relative"] is None:
        return f"Against {baseline}, whose {primary} is 0, {short(most)} gains the most."
    sure = one["ci"] is not None and one["ci"][0] > 0
    how = "" if sure else ", which may be chance"
    return (
        f"Against {baseline}, {short(most)} gains the most: "
        f"{ranged(one['relative'], one['relative_ci'], '+.1%')} of {primary}{how}."
    )


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:+.1%}"
