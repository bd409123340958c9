"""What it costs to look deeper: latency along each number that runs differ in."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report
from assay.reports.charts._framed import framed
from assay.reports.charts._placing import spread
from assay.reports.charts._plane import Drawing, Plane, said
from assay.reports.charts._shown import known, primary
from assay.reports.charts._span import span
from assay.reports.charts._widths import wide, wrapped
from assay.reports.charts.look import Look
from assay.reports.spelled import spelled

__all__ = ["depth"]

HEIGHT = 180.0
MOST = 6  # panels, each for one setting
GROUPS = 12  # lines in a panel
Group = Mapping[str, Any]


def depth(report: Report, look: Look, *, run: str | None = None) -> Drawing | None:
    """Draw a panel per setting, with a line for each group of runs that differ in it alone."""
    panels: dict[str, list[Group]] = {}
    for one in report.analysis.get("latency_across") or []:
        if len(_points(one)) > 1:
            panels.setdefault(str(one.get("parameter")), []).append(one)
    if not panels:
        return None
    numbers = {one.name: number for number, one in enumerate(report.runs, 1)}
    metric = primary(report)
    drawn = [
        _panel(name, groups[:GROUPS], metric, numbers, look)
        for name, groups in [*panels.items()][:MOST]
    ]
    return framed(
        drawn,
        report,
        look,
        title="latency along each number that was swept",
        lines=[f"Runs on a line differ in that number alone; at each point stands its {metric}."],
        tells=f"Swept: {', '.join(panels)}",
    )


def _points(group: Group) -> list[tuple[float, float, Mapping[str, Any]]]:
    told = [(known(p.get("value")), known(p.get("p50")), p) for p in group.get("points") or []]
    return [(x, y, point) for x, y, point in told if x is not None and y is not None]


def _panel(
    name: str, groups: Sequence[Group], metric: str, numbers: Mapping[str, int], look: Look
) -> Drawing:
    """Draw the lines of one setting; what the runs of a line share stands at its end."""
    labels = _labels(groups)
    right = min(230.0, max(wide(label, look.size) for label in labels) + 12)
    points = [_points(group) for group in groups]
    x = span([p[0] for one in points for p in one], look.width - right, spelled(name), log=True)
    high = max(HEIGHT, 15.0 * len(groups))
    y = span([p[1] for one in points for p in one], high, "median, ms", log=True, down=True)
    plane = Plane(x, y, look)
    marks = [
        _mark(point, name, metric, numbers) | {"of": str(at), "colour": look.stage(at)}
        for at, one in enumerate(points)
        for point in one
    ]
    ends = spread([y.at(one[-1][1]) for one in points], 14.0, (0.0, high))
    names = [
        {"y": y.value(end), "text": wrapped(label, right - 8, look.size, lines=1)[0]}
        for end, label in zip(ends, labels, strict=True)
    ]
    lines = [_without(mark, "text", "say") for mark in marks]
    dots = [_without(mark, "text", "of") for mark in marks]
    layers = [
        plane.layer("line", lines, strokeWidth=1.75),
        plane.layer("point", dots, filled=True, size=45, opacity=1),
        plane.text(names, fixed={"x": x.length + 8}, align="left"),
    ]
    return plane.layered([*layers[:2], *_scores(marks, plane), layers[2]])


def _mark(
    point: tuple[float, float, Mapping[str, Any]],
    name: str,
    metric: str,
    numbers: Mapping[str, int],
) -> dict[str, Any]:
    value, ms, told = point
    words = _words(name, told, metric, numbers)
    return {"x": value, "y": ms, "text": _score(told), "say": words}


def _without(row: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in keys}


def _score(point: Mapping[str, Any]) -> str:
    score = known(point.get("score"))
    return "" if score is None else f"{score:.3f}"


def _words(name: str, point: Mapping[str, Any], metric: str, numbers: Mapping[str, int]) -> str:
    run = str(point.get("run"))
    figures = f"p50 {point.get('p50'):.3g} ms, {metric} {_score(point)}"
    words = f"{spelled(run)[:200]}: {name} {point.get('value')}, {figures}"
    return said(words, run=numbers.get(run))


def _labels(groups: Sequence[Group]) -> list[str]:
    """Name each line by the settings that the others do not share."""
    told = [
        {key: str(one) for key, one in (group.get("group") or {}).items() if _is_plain(one)}
        for group in groups
    ]
    keys = dict.fromkeys(key for one in told for key in one)
    apart = [key for key in keys if len({one.get(key) for one in told}) > 1]
    chosen = [key for key in apart if all(key in one for one in told)]
    # What only some have follows from the others, where these tell all lines apart.
    enough = len({tuple(one[key] for key in chosen) for one in told}) == len(told)
    shown = chosen if enough else apart
    return [spelled(", ".join(one[key] for key in shown if key in one)) for one in told]


def _is_plain(value: object) -> bool:
    return not isinstance(value, Mapping | list)


def _scores(marks: Sequence[Mapping[str, Any]], plane: Plane) -> list[Any]:
    """Write the score above its point where no other stands."""
    rows: list[dict[str, Any]] = []
    taken: list[tuple[float, float]] = [(plane.x.at(m["x"]), plane.y.at(m["y"])) for m in marks]
    for mark in marks:
        at = plane.x.at(mark["x"]), plane.y.at(mark["y"]) - 11
        free = all(abs(at[0] - x) >= 36 or abs(at[1] - y) >= 11 for x, y in taken)
        if mark["text"] and free and at[1] > 4:
            taken.append(at)
            rows.append(
                {
                    "x": mark["x"],
                    "y": plane.y.value(at[1]),
                    "text": mark["text"],
                    "say": mark["say"],
                }
            )
    return [plane.halo(rows, fontSize=10), plane.text(rows, fontSize=10)] if rows else []
