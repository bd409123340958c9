"""Latency for each numeric setting in which runs differ, such as depth."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report
from assay.reports.analysis.busy import busy
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.key import key
from assay.reports.charts.drawing.line_names import line_names
from assay.reports.charts.drawing.placement import spread
from assay.reports.charts.drawing.plane import Drawing, Plane, said
from assay.reports.charts.drawing.shown_runs import known, primary, shown
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.charts.drawing.widths import wide
from assay.reports.charts.look import ChartStyle
from assay.text import sanitize

__all__ = ["depth"]

HEIGHT = 180.0
MOST = 6  # panels, each for one setting
GROUPS = 12  # lines in a panel
ROOM = 230.0  # pixels for what stands at the end of a line
WAYS = ((0, -11), (0, 12), (26, -6), (-26, -6), (26, 8), (-26, 8))  # places beside a point
Group = Mapping[str, Any]


def depth(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw a panel per setting, with a line for each group of runs that differ in it alone."""
    panels: dict[str, list[Group]] = {}
    for one in report.analysis.get("latency_across") or []:
        if len(_points(one)) > 1:
            panels.setdefault(str(one.get("parameter")), []).append(one)
    if not panels:
        return None
    shown_runs = shown(report, lambda one: one.name in _runs(panels))
    numbers = {one.run.name: one.number for one in shown_runs}
    metric = primary(report)
    drawn = [
        _panel(name, groups[:GROUPS], metric, numbers, look)
        for name, groups in [*panels.items()][:MOST]
    ]
    return frame(
        [*drawn, *([key(shown_runs, look)] if shown_runs else [])],
        report,
        look,
        title="latency for each numeric setting",
        lines=[
            f"Runs on a line differ in that setting only; labels are {metric}.",
            busy(report),
        ],
        tells=f"Swept: {', '.join(panels)}",
    )


def _runs(panels: Mapping[str, Sequence[Group]]) -> set[str]:
    """Return the names of the runs in the panels and lines that are drawn."""
    kept = [group for groups in [*panels.values()][:MOST] for group in groups[:GROUPS]]
    return {str(point.get("run")) for group in kept for _, _, point in _points(group)}


def _points(group: Group) -> list[tuple[float, float, Mapping[str, Any]]]:
    told = [(known(p.get("value")), known(p.get("p50")), p) for p in group.get("points") or []]
    return [(x, y, point) for x, y, point in told if x is not None and y is not None]


def _panel(
    name: str, groups: Sequence[Group], metric: str, numbers: Mapping[str, int], look: ChartStyle
) -> Drawing:
    """Draw the lines of one setting; what the runs of a line share stands at its end."""
    labels = line_names(groups, ROOM - 8, look.size)
    right = max(wide(label, look.size) for label in labels) + 12
    points = [_points(group) for group in groups]
    x = span([p[0] for one in points for p in one], look.width - right, sanitize(name), log=True)
    y = _up([p[1] for one in points for p in one], max(HEIGHT, 15.0 * len(groups)))
    plane = Plane(x, y, look)
    marks = [
        _mark(point, name, metric, numbers, look) | {"of": str(at)}
        for at, one in enumerate(points)
        for point in one
    ]
    paths = [{key: mark[key] for key in ("x", "y", "of")} for mark in marks]
    layers = [
        plane.layer("line", paths, strokeWidth=1.5, color=look.axis),
        plane.layer("point", _dots(marks), filled=True, size=55, opacity=1),
        *_scores(marks, plane),
        _ends(points, labels, plane),
    ]
    return plane.layered(layers)


def _up(times: Sequence[float], high: float) -> AxisSpan:
    """Begin at 0, unless the times span decades: half as high is half as long."""
    apart = span(times, high, "p50 latency, ms", log=True, down=True)
    most = (0.0, 1.12 * max(times))
    return apart if apart.log else span([*times, 0.0], high, apart.title, down=True, within=most)


def _ends(
    points: Sequence[Sequence[tuple[float, float, Mapping[str, Any]]]],
    labels: Sequence[str],
    plane: Plane,
) -> Drawing:
    places = spread([plane.y.at(one[-1][1]) for one in points], 14.0, (0.0, plane.y.length))
    names = [
        {"y": plane.y.value(place), "text": label}
        for place, label in zip(places, labels, strict=True)
    ]
    return plane.text(names, fixed={"x": plane.x.length + 8}, align="left")


def _dots(marks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Draw a run that stands on several lines once for each place."""
    keys = ("x", "y", "colour", "shape", "say")
    return [{key: mark[key] for key in keys} for mark in marks]


def _mark(
    point: tuple[float, float, Mapping[str, Any]],
    name: str,
    metric: str,
    numbers: Mapping[str, int],
    look: ChartStyle,
) -> dict[str, Any]:
    """Mark a run as in every other chart: by its colour and its shape."""
    value, ms, told = point
    number = numbers.get(str(told.get("run")), 1)
    own = {"colour": look.run(number), "shape": look.shape(number)}
    words = _words(name, told, metric, numbers)
    return {"x": value, "y": ms, "text": _score(told), "say": words, **own}


def _score(point: Mapping[str, Any]) -> str:
    score = known(point.get("score"))
    return "" if score is None else f"{score:.3f}"


def _words(name: str, point: Mapping[str, Any], metric: str, numbers: Mapping[str, int]) -> str:
    run = str(point.get("run"))
    figures = f"p50 {point.get('p50'):.3g} ms, {metric} {_score(point)}"
    words = f"{sanitize(run)[:200]}: {name} {point.get('value')}, {figures}"
    return said(words, run=numbers.get(run))


def _scores(marks: Sequence[Mapping[str, Any]], plane: Plane) -> list[Any]:
    """Write the score above its point, else below or beside it; nothing where all is taken."""
    rows: list[dict[str, Any]] = []
    spots = [(plane.x.at(mark["x"]), plane.y.at(mark["y"])) for mark in marks]
    taken = [*spots]
    for mark, (x, y) in zip(marks, spots, strict=True):
        ways = [(x + across, y + down) for across, down in WAYS] if mark["text"] else []
        free = next((way for way in ways if _is_free(way, (x, y), taken, plane)), None)
        if free is not None:
            taken.append(free)
            place = {"x": plane.x.value(free[0]), "y": plane.y.value(free[1])}
            rows.append(place | {"text": mark["text"], "say": mark["say"]})
    return [plane.halo(rows, fontSize=10), plane.text(rows, fontSize=10)] if rows else []


def _is_free(
    way: tuple[float, float],
    own: tuple[float, float],
    taken: Sequence[tuple[float, float]],
    plane: Plane,
) -> bool:
    inside = 4 < way[1] < plane.y.length - 4 and 16 < way[0] < plane.x.length - 10
    others = [one for one in taken if one != own]
    return inside and all(abs(way[0] - x) >= 36 or abs(way[1] - y) >= 11 for x, y in others)
