"""Recall and latency of approximate dense indexes, and the score that each leads to."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.records import Report
from assay.reports.analysis.busy import busy
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.key import key
from assay.reports.charts.drawing.labels import labels
from assay.reports.charts.drawing.line_names import line_names
from assay.reports.charts.drawing.placement import Box
from assay.reports.charts.drawing.plane import Drawing, Plane, said
from assay.reports.charts.drawing.shown_runs import ChartRun, known, primary, shown
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.charts.drawing.widths import wide
from assay.reports.charts.look import ChartStyle
from assay.text import sanitize

__all__ = ["recall"]

TIMES, SCORES = 260.0, 140.0  # pixels of height of the two panels
MOST = 16  # lines that one picture has room for
ROOM = 600.0  # pixels for the name of a line
TICKS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
FINE, FINEST = 0.01, 0.0005  # shares missed at which the axis ends: at most, at least
LABELLED = 40  # points up to which each tells its effort
P50 = "p50 latency of dense search, ms"
Row = dict[str, Any]
Point = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Line:
    """An index that was built, searched with rising effort; its number is its colour and shape."""

    number: int
    name: str
    setting: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Panel:
    """What is drawn over recall: a figure of each point, and that of exact search.

    ``runs`` has the numbers of runs, and ``words`` what their points tell.
    """

    figure: str
    lines: Sequence[_Line]
    exact: Sequence[float]
    plane: Plane
    axis: "_RecallAxis"
    runs: Mapping[str, int]
    words: Mapping[str, str]


def recall(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw latency and score over recall, with a line per index that was built."""
    told = report.analysis.get("approximate") or {}
    lines = _lines(told, look)
    if not lines:
        return None
    metric, k = primary(report), int(told.get("k") or 10)
    there = shown(report, lambda _: True)
    words = {str(one["run"]): _words(line, one, metric) for line in lines for one in line.points}
    axis = _RecallAxis.of([float(one["recall"]) for line in lines for one in line.points])
    x = axis.across(f"recall@{k} against exact search (log scale of the share missed)", look)
    panels = [
        _Panel(
            figure,
            lines,
            exact := _exact(told, lines, figure),
            Plane(x, _up(lines, figure, exact, metric), look),
            axis,
            {one.run.name: one.number for one in there},
            words,
        )
        for figure in ("p50", "score")
        if any(_values(lines, figure))
    ]
    if len(panels) > 1:  # both have the same axis
        upper = replace(panels[0].plane, x=replace(x, title=""))
        panels[0] = replace(panels[0], plane=upper)
    margin = known(told.get("margin")) or 0.0
    return frame(
        [*(_drawn(panel, margin) for panel in panels), _key(lines, there, look)],
        report,
        look,
        title=f"recall@{k} and latency of approximate dense search",
        lines=[_about(panels, margin), busy(report)],
        tells=". ".join(words.values()),
    )


def _lines(told: Mapping[str, Any], look: ChartStyle) -> list[_Line]:
    """Take the lines with a recall, each with a name that tells it from the others."""
    each = [one for one in told.get("lines") or [] if _points(one)][:MOST]
    groups = [{"group": {**(one.get("index") or {}), **(one.get("group") or {})}} for one in each]
    names = line_names(groups, ROOM, look.size) if each else []
    if len(each) == 1:
        names = [", ".join(_setting(name, one) for name, one in groups[0]["group"].items())]
    return [
        _Line(number, sanitize(name), str(one.get("setting") or ""), tuple(_points(one)))
        for number, (name, one) in enumerate(zip(names, each, strict=True), 1)
    ]


def _setting(name: str, value: object) -> str:
    return str(value) if name == "kind" else f"{name} {value}"


def _points(line: Mapping[str, Any]) -> list[Point]:
    return [one for one in line.get("points") or [] if known(one.get("recall")) is not None]


def _values(lines: Sequence[_Line], figure: str) -> list[float]:
    told = (known(one.get(figure)) for line in lines for one in line.points)
    return [value for value in told if value is not None]


def _exact(told: Mapping[str, Any], lines: Sequence[_Line], figure: str) -> list[float]:
    """Return what exact search takes or scores, of those that the lines are compared with."""
    each = (known(one.get(figure)) for one in (told.get("exact") or {}).values())
    return [value for value in dict.fromkeys(each) if value is not None][: len(lines)]


@dataclass(frozen=True, slots=True)
class _RecallAxis:
    """Recall by the share that is missed, in powers of ten: .99 is as far from .9 as .9 from 0.

    What misses nothing stands at ``least``, half of the least share that any point misses.
    """

    least: float
    most: float

    @classmethod
    def of(cls, recalls: Sequence[float]) -> "_RecallAxis":
        missed = [1 - one for one in recalls if one < 1 - 1e-9]
        return cls(max(min([*missed, FINE]) / 2, FINEST), max([*missed, 0.0]))

    def at(self, recall: float) -> float:
        return -math.log10(max(1 - recall, self.least))

    def across(self, title: str, look: ChartStyle) -> AxisSpan:
        """Put ticks at round recalls, as far as their numbers have room, and at 1."""
        ends = [self.at(1 - max(self.most, 2 * self.least)), self.at(1.0)]
        axis = span(ends, look.width, title)
        kept = [1.0]
        for tick in reversed(TICKS):
            room = wide(f"{tick:g}", look.size) + 14
            inside = axis.low <= self.at(tick) < self.at(1.0)
            if inside and axis.at(self.at(kept[-1])) - axis.at(self.at(tick)) >= room:
                kept.append(tick)
        kept.reverse()
        ticks = tuple(map(self.at, kept))
        return replace(axis, ticks=ticks, names=tuple(f"{tick:g}" for tick in kept))


def _up(lines: Sequence[_Line], figure: str, exact: Sequence[float], metric: str) -> AxisSpan:
    values = [*_values(lines, figure), *exact]
    if figure == "score":
        return span(values, SCORES, metric, down=True)
    return span([*values, *_values(lines, "p95")], TIMES, P50, log=True, down=True)


def _drawn(panel: _Panel, margin: float) -> Drawing:
    """Put the figure of exact search behind the lines, and what they tell in front."""
    plane, rows = panel.plane, _rows(panel)
    paths = [{name: row[name] for name in ("x", "y", "colour", "of", "say")} for row in rows]
    marks = [{name: row[name] for name in ("x", "y", "colour", "shape", "say")} for row in rows]
    layers = [
        *_references(panel, margin),
        *_whiskers(panel, rows),
        plane.layer("line", paths, strokeWidth=1.75),
        plane.layer("point", marks, filled=True, size=55, opacity=1),
    ]
    told = [row for row in rows if row["text"]] if panel.figure == "p50" else []
    few = told if len(told) <= LABELLED else []
    return plane.layered([*layers, *(labels(few, plane, crossed=_crossed(panel)) if few else [])])


def _rows(panel: _Panel) -> list[Row]:
    look = panel.plane.look
    return [
        {
            "x": panel.axis.at(float(one["recall"])),
            "y": value,
            "colour": look.run(line.number),
            "shape": look.shape(line.number),
            "of": str(line.number),
            "say": said(panel.words[str(one["run"])], run=panel.runs.get(str(one["run"]))),
            "text": "" if one.get("value") is None else f"{one['value']:,g}",
            "p95": known(one.get("p95")),
        }
        for line in panel.lines
        for one in line.points
        if (value := known(one.get(panel.figure))) is not None
    ]


def _whiskers(panel: _Panel, rows: Sequence[Row]) -> list[Any]:
    """Draw a thin line from p50 up to p95."""
    if panel.figure != "p50":
        return []
    named = ("x", "y", "colour", "say")
    ends = [
        {name: row[name] for name in named} | {"y2": row["p95"]}
        for row in rows
        if row["p95"] is not None
    ]
    return [panel.plane.layer("rule", ends, strokeWidth=1, opacity=0.45)] if ends else []


def _references(panel: _Panel, margin: float) -> list[Any]:
    """Draw what exact search has as a broken line, and what a score may lose as a dotted one."""
    plane = panel.plane
    if not panel.exact:
        return []
    shown = [f"{one:.3f}" if panel.figure == "score" else f"{one:.3g} ms" for one in panel.exact]
    each = [*zip(panel.exact, shown, strict=True)]
    rules = [{"y": one, "say": f"exact search: {text}"} for one, text in each]
    texts = [{"y": one, "text": f"exact {text}"} for one, text in each]
    drawn = [
        plane.layer("rule", rules, color=plane.look.quiet, strokeDash=[6, 3], strokeWidth=1.25),
        plane.text(texts, fixed={"x": 4}, align="left", dy=-8, color=plane.look.quiet),
    ]
    dots = [{"y": one, "say": f"{margin:.0%} below exact search"} for one in _least(panel, margin)]
    style: Row = {"strokeDash": [1, 4], "strokeWidth": 1.25}
    return [*drawn, *([plane.layer("rule", dots, color=plane.look.worse, **style)] if dots else [])]


def _least(panel: _Panel, margin: float) -> list[float]:
    """Return the scores of exact search less the margin, as far as they are in the picture."""
    least = [one * (1 - margin) for one in panel.exact] if panel.figure == "score" else []
    return [one for one in least if panel.plane.y.low < one < panel.plane.y.high]


def _crossed(panel: _Panel) -> list[Box]:
    """Return the lines of exact search in pixels, with their words, which labels leave free."""
    return [
        (0.0, panel.plane.y.at(one) - 15, panel.plane.x.length, panel.plane.y.at(one) + 2)
        for one in panel.exact
    ]


def _key(lines: Sequence[_Line], there: Sequence[ChartRun], look: ChartStyle) -> Drawing:
    """Name the lines, and the setting along which they go."""
    named = [
        ChartRun(line.number, f"{line.name} (labels: {line.setting})", there[0].run)
        if line.setting
        else ChartRun(line.number, line.name, there[0].run)
        for line in lines
    ]
    return key(named, look, numbered=False)


def _about(panels: Sequence[_Panel], margin: float) -> str:
    told = ["A line is one index, searched with rising effort."]
    if panels[0].figure == "p50":
        told.append("Thin lines go from p50 to p95.")
    if any(panel.exact for panel in panels):
        dotted = any(_least(panel, margin) for panel in panels)
        more = f"; dotted: its score less the margin of {margin:.0%}" if dotted else ""
        told.append(f"Dashed: exact search{more}.")
    return " ".join(told)


def _words(line: _Line, one: Point, metric: str) -> str:
    """Tell all that is known of a point."""
    at = f", {line.setting} {one['value']:,g}" if line.setting and one.get("value") else ""
    p50, score = known(one.get("p50")), known(one.get("score"))
    times = "" if p50 is None else f", p50 {p50:.3g} ms"
    scored = "" if score is None else f", {metric} {score:.3f}"
    name = sanitize(str(one["run"]))[:200]
    return f"{name}: {line.name}{at}: recall {one['recall']:.1%}{times}{scored}"
