"""Latency under load: p95 by queries per second, until the machine cannot keep up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from assay.records import Report
from assay.reports.analysis.busy import busy
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.key import key
from assay.reports.charts.drawing.placement import spread
from assay.reports.charts.drawing.plane import Drawing, Plane, said
from assay.reports.charts.drawing.shown_runs import ChartRun, known, left_out, shown
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.charts.drawing.widths import wide
from assay.reports.charts.look import ChartStyle
from assay.text.count_noun import count_noun

__all__ = ["load"]

HEIGHT = 300.0
AWAY = 11.0  # pixels from a point to its label
HIGH = 13.0  # of a label
CLEAR, STEP = 3.0, 4.0  # pixels beside a label that it covers as well, and of a step along a line
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Line:
    """Points of a run, by their number in the report, and what stands at their end."""

    run: int
    label: str
    points: tuple[tuple[float, float], ...]
    words: tuple[str, ...]


def load(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw the p95 of each run against the queries per second, as far as it keeps up."""
    told = report.analysis.get("load") or {}
    runs: Mapping[str, Any] = told.get("runs") or {}
    there = shown(report, lambda one: one.name in runs and _points(runs[one.name]))
    if not there:
        return None
    found = [_line(one, runs[one.run.name]) for one in there]
    rates = [x for line in found for x, _ in line.points]
    times = [y for line in found for _, y in line.points]
    x = _across(rates, look)
    y = span(times, max(HEIGHT, 13.0 * len(found)), "p95 latency, ms", log=True, down=True)
    plane = Plane(x, y, look)
    cores = int(known(told.get("cores")) or 1)
    many = count_noun(cores, "core")
    return frame(
        [plane.layered(_lines(found, plane)), key(there, look)],
        report,
        look,
        title=f"latency under load, {many}",
        lines=[
            f"Simulated on {many} with random arrivals. A line ends where {many} cannot keep up.",
            busy(report),
            left_out(report, there),
        ],
        tells=". ".join(_capacity(one, runs[one.run.name]) for one in there),
    )


def _across(rates: Sequence[float], look: ChartStyle) -> AxisSpan:
    """Put a tick at each load that was simulated, as far as their numbers have room."""
    axis = span(rates, look.width, "queries per second", log=True)
    ticks: list[float] = []
    for rate in sorted({*rates}):
        room = wide(f"{rate:,g}", look.size) + 8
        if not ticks or axis.at(rate) - axis.at(ticks[-1]) >= room:
            ticks.append(rate)
    return replace(axis, ticks=tuple(ticks))


def _points(told: Mapping[str, Any]) -> list[tuple[float, float]]:
    pairs = [(known(one.get("qps")), known(one.get("p95_ms"))) for one in told.get("loads") or []]
    return [(x, y) for x, y in pairs if x is not None and y is not None]


def _line(one: ChartRun, told: Mapping[str, Any]) -> _Line:
    points = _points(told)
    words = [f"{one.name}: p95 {y:.3g} ms at {x:g} queries per second" for x, y in points]
    return _Line(one.number, str(one.number), tuple(points), tuple(words))


def _capacity(one: ChartRun, told: Mapping[str, Any]) -> str:
    most = known(told.get("capacity_qps"))
    return f"{one.name}: " + ("unknown" if most is None else f"up to {most:.3g} per second")


def _lines(them: Sequence[_Line], plane: Plane) -> list[Any]:
    """Draw lines with a mark at each point; the label of a line stands where it ends."""
    marks = [_mark(line, at, plane) for line in them for at in range(len(line.points))]
    paths = [mark | {"of": f"{at}"} for at, line in enumerate(them) for mark in _path(line, plane)]
    ends = [_ends(them, plane, left=left) for left in (False, True)]
    texts = [
        write(rows, align="right" if left else "left")
        for left, (rows, _) in enumerate(ends)
        for write in (plane.halo, plane.text)
        if rows
    ]
    return [
        plane.layer("rule", [*ends[0][1], *ends[1][1]], color=plane.look.axis, strokeWidth=0.75),
        plane.layer("line", paths, strokeWidth=1.75),
        plane.layer("point", marks, filled=True, size=45, opacity=1),
        *texts,
    ]


def _ends(them: Sequence[_Line], plane: Plane, *, left: bool) -> tuple[list[Row], list[Row]]:
    """Place labels beside where lines end, in the order of these, and short lines to them.

    A line to the edge of the plane would look like one that goes on.
    """
    texts: list[Row] = []
    leads: list[Row] = []
    there = [line for line in them if _is_left(line, them, plane) == left]
    for x in {line.points[-1][0]: None for line in there}:
        here = [line for line in there if line.points[-1][0] == x]
        spots = [plane.y.at(line.points[-1][1]) for line in here]
        places = spread(spots, HIGH, (0.0, max(plane.y.length, HIGH * len(here))))
        at = plane.x.at(x) + (-AWAY if left else AWAY)
        for line, place in zip(here, places, strict=True):
            end, y = plane.x.value(at + (2 if left else -2)), plane.y.value(place)
            leads.append({"x": x, "y": line.points[-1][1], "x2": end, "y2": y})
            say = said(line.words[-1], run=line.run)
            texts.append({"x": plane.x.value(at), "y": y, "text": line.label, "say": say})
    return texts, leads


def _is_left(line: _Line, them: Sequence[_Line], plane: Plane) -> bool:
    """Tell whether a label stands better left of its point, since lines go on to the right of it.

    The right is where a line is expected to be named, so that it is left only by need.
    """
    x, y = (axis.at(one) for axis, one in zip((plane.x, plane.y), line.points[-1], strict=True))
    width = wide(line.label, plane.look.size)
    right, left = (x + AWAY, x + AWAY + width), (x - AWAY - width, x - AWAY)
    covered = _covered(right, y, them, plane)
    return bool(covered) and left[0] >= 0 and _covered(left, y, them, plane) < covered


def _covered(across: tuple[float, float], y: float, them: Sequence[_Line], plane: Plane) -> int:
    """Count in steps how much of all lines a label would cover."""
    return sum(
        across[0] - CLEAR <= px <= across[1] + CLEAR and abs(py - y) <= HIGH / 2
        for line in them
        for px, py in _steps(line, plane)
    )


def _steps(line: _Line, plane: Plane) -> Iterator[tuple[float, float]]:
    """Go along a line in small steps, from point to point."""
    spots = [(plane.x.at(x), plane.y.at(y)) for x, y in line.points]
    for (ax, ay), (bx, by) in pairwise(spots):
        many = max(1, int(max(abs(bx - ax), abs(by - ay)) // STEP))
        yield from ((ax + (bx - ax) * at / many, ay + (by - ay) * at / many) for at in range(many))
    yield spots[-1]


def _mark(line: _Line, at: int, plane: Plane) -> Row:
    x, y = line.points[at]
    look = plane.look
    own = {"colour": look.run(line.run), "shape": look.shape(line.run)}
    return {"x": x, "y": y, **own, "say": said(line.words[at], run=line.run)}


def _path(line: _Line, plane: Plane) -> list[Row]:
    colour = plane.look.run(line.run)
    say = said(line.words[-1], run=line.run)
    return [{"x": x, "y": y, "colour": colour, "say": say} for x, y in line.points]
