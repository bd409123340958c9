"""Scores with their intervals, a row per run: what is left to draw where nothing was timed."""

from collections.abc import Sequence
from typing import Any

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.limits import least_score, limit_of
from assay.reports.charts.drawing.plane import Drawing, Plane, pixels, said
from assay.reports.charts.drawing.rows import Band, rows
from assay.reports.charts.drawing.shown_runs import PAIRED, ChartRun, known, left_out, primary
from assay.reports.charts.drawing.span import span
from assay.reports.charts.look import ChartStyle

__all__ = ["forest"]

ABOUT = "Lines are 95% CIs; latency was not measured."


def forest(report: Report, look: ChartStyle, them: Sequence[ChartRun]) -> Drawing | None:
    """Draw the primary metric of each run; None where there is none."""
    if not them:
        return None
    metric = primary(report)
    laid = rows(them, look, band=14)
    marks = [_mark(band, metric, look) for band in laid.bands]
    values = [mark[key] for mark in marks for key in ("x", "low", "high")]
    least = limit_of(report, metric)
    among = [] if least is None else [least]
    across = span(values, look.width, metric, among=among)
    plane = Plane(across, pixels(laid.height), look, (".3~f", ""))
    same = ("y", "colour", "say")
    lines = [
        {key: mark[key] for key in same} | {"x": mark["low"], "x2": mark["high"]} for mark in marks
    ]
    layers = [
        *least_score(plane, metric, least)[0],
        plane.layer("rule", lines, strokeWidth=2),
        plane.layer("point", marks, filled=True, size=80, opacity=1),
        laid.names(plane),
    ]
    return frame(
        [plane.layered(layers)],
        report,
        look,
        title=metric,
        lines=[
            f"{ABOUT} {PAIRED if them[1:] else ''}".strip(),
            left_out(report, list(them)),
        ],
        tells=". ".join(mark["words"] for mark in marks),
    )


def _mark(band: Band, metric: str, look: ChartStyle) -> dict[str, Any]:
    one = band.shown
    score = float(one.run.scores[metric])
    interval = one.run.intervals.get(metric)
    low = known(interval.low) if interval is not None else None
    high = known(interval.high) if interval is not None else None
    low, high = (score if low is None else low), (score if high is None else high)
    words = f"{one.name}: {metric} {score:.3f} [{low:.3f}, {high:.3f}]"
    return {
        "x": score,
        "low": low,
        "high": high,
        "y": band.middle,
        "colour": look.run(one.number),
        "shape": look.shape(one.number),
        "words": words,
        "say": said(words, run=one.number),
    }
