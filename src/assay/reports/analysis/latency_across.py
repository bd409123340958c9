"""Latency across: latency and quality by depth, k and every other number that is swept."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Cell, Report, Table
from assay.records.times import incomparable
from assay.reports.analysis.busy import busy
from assay.reports.runs.phrases.run_label import run_label

__all__ = ["latency_across"]

SHOWN = 24  # rows


def latency_across(report: Report) -> Table | None:
    """Lay out each run that differs from others in one number alone, along that number."""
    found = report.analysis.get("latency_across") or []
    primary = str(report.benchmark["primary"])
    rows: list[list[Cell]] = [
        [point["run"], one["parameter"], point["value"], point["p50"], point["p95"], point["score"]]
        for one in found
        for point in one["points"]
    ]
    if not rows:
        return None
    texts = {(at, 2): f"{row[2]:,g}" for at, row in enumerate(rows)}
    texts |= {
        (at, c): f"{row[c]:,.2f}"
        for at, row in enumerate(rows)
        for c in (3, 4)
        if row[c] is not None
    }
    more = [[f"{len(rows) - SHOWN:,} more", *[None] * 5]] if len(rows) > SHOWN else []
    kept = {place: shown for place, shown in texts.items() if place[0] < SHOWN}
    titles = ("run", "setting", "value", "p50 ms", "p95 ms", primary)
    return Table(titles, rows[:SHOWN], _said(report, found), texts=kept, footer=more)


def _said(report: Report, found: Sequence[Mapping[str, Any]]) -> str:
    """Name the step that costs the most time, where latencies can be compared."""
    runs = {run.name: run for run in report.runs}
    why = [incomparable([runs[point["run"]] for point in one["points"]]) for one in found]
    steps = [(_ratio(one["points"]), one) for one, no in zip(found, why, strict=True) if not no]
    if not steps:
        told, warning = "The effect of settings on latency is unknown", busy(report)
        return f"{told}. {warning}" if warning else f"{told}: latencies were {why[0]}."
    ratio, one = max(steps, key=lambda step: max(step[0], 1 / step[0]))
    first, last = one["points"][0], one["points"][-1]
    moved = (last["score"] or 0.0) - (first["score"] or 0.0)
    return (
        f"Raising {one['parameter']} from {first['value']:,g} to {last['value']:,g} multiplies p50 "
        f"latency by {ratio:.2f} and changes {report.benchmark['primary']} by {moved:+.3f}, "
        f"compared with {run_label(report, first['run'])}."
    )


def _ratio(points: Sequence[Mapping[str, Any]]) -> float:
    first, last = points[0]["p50"], points[-1]["p50"]
    return float(last) / float(first) if first and last else 1.0
