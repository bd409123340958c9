"""Latency of each run: the middle half of its queries, the median, and the slowest."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report
from assay.reports.analysis.busy import busy
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.plane import Drawing, Plane, pixels, said
from assay.reports.charts.drawing.rows import Band, rows
from assay.reports.charts.drawing.shown_runs import known, left_out, shown, unlike
from assay.reports.charts.drawing.span import span
from assay.reports.charts.look import ChartStyle

__all__ = ["latency"]

MEASURED = ("p50", "p95", "p99")
OWN = {"p5": 5, "p25": 25, "p75": 75}  # from the queries themselves
SLOW = (("p95", "triangle-up"), ("p99", "diamond"))
Parts = dict[str, float]


def latency(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw a box per run from its queries, with p50, p95 and p99 as they were measured."""
    there = shown(report, lambda one: known(one.latency_ms.get("p50")) is not None)
    if not there:
        return None
    laid = rows(there, look, band=20)
    told = [_parts(band.shown.run.latency_ms) for band in laid.bands]
    values = [value for parts in told for value in parts.values()]
    plane = Plane(span(values, look.width, "latency, ms", log=True), pixels(laid.height), look)
    words = [_words(band, parts) for band, parts in zip(laid.bands, told, strict=True)]
    drawn = _layers(list(zip(laid.bands, told, words, strict=True)), plane)
    about = (
        "Box: middle half of the queries; bar: p50; line: p5 to p95; triangle: p95; diamond: p99."
    )
    return frame(
        [plane.layered([*drawn, laid.names(plane)])],
        report,
        look,
        title="latency per query",
        lines=[about, busy(report), unlike(there), left_out(report, there)],
        tells=". ".join(words),
    )


def _parts(told: Mapping[str, Any]) -> Parts:
    """Return the measured percentiles, and those of the middle, where they are known."""
    import numpy as np

    own = [known(one) for one in (told.get("queries") or {}).values()]
    timed = [value for value in own if value is not None]
    found = {part: known(told.get(part)) for part in MEASURED}
    found |= {part: float(np.percentile(timed, at)) for part, at in OWN.items()} if timed else {}
    return {part: value for part, value in found.items() if value is not None}


def _words(band: Band, parts: Parts) -> str:
    figures = [f"{part} {parts[part]:.3g} ms" for part in MEASURED if part in parts]
    return f"{band.shown.name}: {', '.join(figures)}"


def _layers(told: Sequence[tuple[Band, Parts, str]], plane: Plane) -> list[Any]:
    lines: list[dict[str, Any]] = []
    boxes: list[dict[str, Any]] = []
    medians: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for band, parts, words in told:
        number = band.shown.number
        own = {"colour": plane.look.run(number), "say": said(words, run=number), "y": band.middle}
        medians.append(own | {"x": parts["p50"], "y": band.top, "y2": band.bottom})
        ends += [own | {"x": parts[part], "shape": s} for part, s in SLOW if part in parts]
        if "p5" in parts:
            far = parts.get("p95", parts["p75"])
            lines.append(own | {"x": parts["p5"], "x2": far})
            middle = {"x": parts["p25"], "x2": parts["p75"]}
            boxes.append(own | middle | {"y": band.top + 3, "y2": band.bottom - 3})
    return [
        plane.layer("rule", lines, strokeWidth=1.5) if lines else None,
        plane.layer("rect", boxes, opacity=0.55) if boxes else None,
        plane.layer("rule", medians, strokeWidth=3),
        plane.layer("point", ends, filled=True, size=55, opacity=1) if ends else None,
    ]
