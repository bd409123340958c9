"""How long queries take when more of them come per second, until a machine cannot keep up."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.analysis.busy import busy
from assay.reports.charts.drawing.frame import framed
from assay.reports.charts.drawing.key import key
from assay.reports.charts.drawing.lines import Line, lines
from assay.reports.charts.drawing.plane import Drawing, Plane
from assay.reports.charts.drawing.shown_runs import Shown, known, left_out, shown
from assay.reports.charts.drawing.span import span
from assay.reports.charts.look import Look

__all__ = ["load"]

HEIGHT = 300.0


def load(report: Report, look: Look, *, run: str | None = None) -> Drawing | None:
    """Draw the p95 of each run against the queries per second, as far as it keeps up."""
    told = report.analysis.get("load") or {}
    runs: Mapping[str, Any] = told.get("runs") or {}
    there = shown(report, lambda one: one.name in runs and _points(runs[one.name]))
    if not there:
        return None
    found = [_line(one, runs[one.run.name]) for one in there]
    rates = [x for line in found for x, _ in line.points]
    times = [y for line in found for _, y in line.points]
    x = span(rates, look.width, "queries per second", log=True)
    y = span(times, max(HEIGHT, 13.0 * len(found)), "p95 of latency, ms", log=True, down=True)
    plane = Plane(x, y, look)
    cores = int(known(told.get("cores")) or 1)
    many = f"{cores} core{'s' if cores != 1 else ''}"
    return framed(
        [plane.layered(lines(found, plane)), key(there, look)],
        report,
        look,
        title=f"latency under load, {many}",
        lines=[
            f"Simulated on {many}: queries come at random. A line ends where {many} cannot keep up "
            "with them.",
            busy(report).replace("`", ""),
            left_out(report, there),
        ],
        tells=". ".join(_capacity(one, runs[one.run.name]) for one in there),
    )


def _points(told: Mapping[str, Any]) -> list[tuple[float, float]]:
    pairs = [(known(one.get("qps")), known(one.get("p95_ms"))) for one in told.get("loads") or []]
    return [(x, y) for x, y in pairs if x is not None and y is not None]


def _line(one: Shown, told: Mapping[str, Any]) -> Line:
    points = _points(told)
    words = [f"{one.name}: p95 {y:.3g} ms at {x:g} queries per second" for x, y in points]
    return Line(one.number, str(one.number), tuple(points), tuple(words))


def _capacity(one: Shown, told: Mapping[str, Any]) -> str:
    most = known(told.get("capacity_qps"))
    return f"{one.name}: " + ("not known" if most is None else f"up to {most:.3g} per second")
