"""Uplift: what each run gains over the baseline, absolute and relative, with intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._ranges import ci_of, ranged
from assay.reports.analysis._table_of import Shown, table_of
from assay.reports.runs.phrases.run_label import run_label

__all__ = ["uplift"]


def uplift(report: Report, *, brief: bool = False) -> Table | None:
    """Lay out the primary metric in full, and of the others the relative gain, unless ``brief``."""
    found = report.analysis.get("uplift") or {}
    primary = str(report.benchmark["primary"])
    told = {run: one["metrics"] for run, one in found.items() if primary in one["metrics"]}
    if not told:
        return None
    others = [name for name in next(iter(told.values())) if name != primary and not brief]
    rows = [_row(run, metrics, primary, others) for run, metrics in told.items()]
    titles = ("run", primary, "relative", *(f"{name} rel." for name in others))
    baseline = run_label(report, next(iter(found.values()))["baseline"])
    return table_of(titles, rows, _said(report, told, baseline))


def _row(run: str, metrics: Mapping[str, Any], primary: str, others: Sequence[str]) -> list[Shown]:
    one = metrics[primary]
    rest = [metrics.get(name, {}).get("relative") for name in others]
    return [
        (run, run),
        (one["absolute"], ranged(one["absolute"], one["ci"])),
        (one["relative"], ranged(one["relative"], one["relative_ci"], "+.1%")),
        *((value, "-" if value is None else f"{value:+.1%}") for value in rest),
    ]


def _said(report: Report, told: Mapping[str, Any], baseline: str) -> str:
    primary = str(report.benchmark["primary"])
    most = max(told, key=lambda run: float(told[run][primary]["absolute"]))
    one, named = told[most][primary], run_label(report, most)
    if one["relative"] is None:  # the baseline scores 0
        gain = f"{one['absolute']:+.3f} {primary}{ci_of(one['ci'])}"
    else:
        gain = f"{one['relative']:+.1%} {primary}{ci_of(one['relative_ci'], '+.1%')}"
    if one["absolute"] <= 0:
        return f"{gain} for {named}, the best candidate: no run beats {baseline}.{_noted(one)}"
    shown = "" if _is_shown(report, most, one["ci"]) else ", but not significant"
    return f"{gain} for {named} over {baseline}: the largest gain{shown}.{_noted(one)}"


def _noted(one: Mapping[str, Any]) -> str:
    """Say what weakens the interval, if anything does."""
    note = str(one.get("note") or "")
    return f" {note[0].upper()}{note[1:]}." if note else ""


def _is_shown(report: Report, run: str, ci: Sequence[float] | None) -> bool:
    """Decide as the verdicts do: after the correction for all candidates, where it was made."""
    compared = report.comparisons
    candidates = [one for one in compared.candidates if one.run == run] if compared else []
    if compared is None or not candidates:
        return ci is not None and ci[0] > 0
    found = [one.metrics[compared.primary] for one in candidates]
    alpha = float(compared.settings.get("alpha", 0.05))
    return any(one.difference > 0 and one.p_corrected < alpha for one in found)
