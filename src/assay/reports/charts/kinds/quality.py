"""Score and latency of each run, with intervals and the Pareto front."""

from itertools import pairwise
from typing import Any

from assay.records import Report, Run
from assay.reports.analysis.busy import busy
from assay.reports.charts.drawing.forest import forest
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.fronts import Spot, front_of, fronts
from assay.reports.charts.drawing.key import key
from assay.reports.charts.drawing.labels import labels
from assay.reports.charts.drawing.limits import level_score, limit_of, most_latency
from assay.reports.charts.drawing.placement import Box
from assay.reports.charts.drawing.plane import PLAIN, Drawing, Plane, said
from assay.reports.charts.drawing.shown_runs import (
    PAIRED,
    ChartRun,
    known,
    left_out,
    primary,
    rises,
    shown,
    unlike,
)
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.charts.look import ChartStyle

__all__ = ["quality"]

HEIGHT = 340.0
SHORT = 22  # letters of names that stand beside their points
FEW = 8  # runs whose names do
ABOUT = "Lines are 95% CIs."
OPEN = 22.0  # pixels of an end that is not known
ENOUGH = {"p50": 6, "p95": 72, "p99": 368}  # queries from which on a percentile has both ends
Point = dict[str, Any]


def quality(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw a point per run; where no latency was measured, the scores alone."""
    metric, part = primary(report), _percentile(report)
    there = shown(report, lambda one: known(one.scores.get(metric)) is not None)
    timed = [one for one in there if known(one.run.latency_ms.get(part)) is not None]
    if not timed:
        return forest(report, look, there)
    points = [_point(one, metric, part) for one in timed]
    budget, least = limit_of(report, f"latency_{part}_ms"), limit_of(report, metric)
    x = _across(points, part, budget, look)
    y = _up(points, metric, least)
    plane = Plane(x, y, look, (PLAIN, ".3~f"))
    named = len(timed) <= FEW and all(len(one.name) <= SHORT for one in timed)
    front, about = _front(report, points, f"{metric} and {part} latency")
    upright, beside = most_latency(plane, part, budget)
    level, around = level_score(plane, metric, least, taken=beside)
    layers = [*_steps(front, plane), *upright, *level]
    layers += [*_intervals(points, plane), _marks(points, plane)]
    layers += _labels(points, plane, [*beside, *around], front, named=named)
    return frame(
        [plane.layered(layers), *([] if named else [key(timed, look)])],
        report,
        look,
        title=f"{metric} and {part} latency",
        lines=[_about(points, part), about, busy(report), unlike(timed), left_out(report, timed)],
        tells=". ".join(filter(None, [*(str(point["words"]) for point in points), about])),
    )


def _about(points: list[Point], part: str) -> str:
    """Say what the lines are, that those of two runs are no comparison, and which have no end."""
    said = [ABOUT, *([PAIRED] if len(points) > 1 else [])]
    if any(one["open"] for one in points):
        few = f"with fewer than {ENOUGH[part]} queries {part} has no upper bound"
        said.append(f"A dashed end is open: {few}.")
    return " ".join(said)


def _percentile(report: Report) -> str:
    """Return the percentile that a budget is about, the median if there is none."""
    budgets = report.benchmark.get("budgets") or {}
    return next((p for p in ("p50", "p95", "p99") if f"latency_{p}_ms" in budgets), "p50")


def _point(one: ChartRun, metric: str, part: str) -> Point:
    score, ms = float(one.run.scores[metric]), float(one.run.latency_ms[part])
    low, high = _ends(one.run, metric, score)
    fast, slow, is_open = _times(one.run, part, ms)
    words = f"{one.name}: {metric} {score:.3f} [{low:.3f}, {high:.3f}], {part} {ms:.3g} ms"
    return {
        "x": ms,
        "y": score,
        "ends": (low, high, fast, slow),
        "open": is_open,
        "shown": one,
        "words": words,
        "say": said(words, run=one.number),
    }


def _ends(run: Run, metric: str, score: float) -> tuple[float, float]:
    interval = run.intervals.get(metric)
    low = known(interval.low) if interval is not None else None
    high = known(interval.high) if interval is not None else None
    return (score if low is None else low, score if high is None else high)


def _times(run: Run, part: str, ms: float) -> tuple[float, float, bool]:
    """Return the interval of the latency, which ends at the value where an end is not known.

    Also tell whether the upper one is not, although there is an interval.
    """
    found = (run.latency_ms.get("intervals") or {}).get(part) or ()
    low, high = map(known, found or (None, None))
    ends = (ms if low is None or low <= 0 else low, ms if high is None else high)
    return (*ends, bool(found) and high is None)


def _across(points: list[Point], part: str, budget: float | None, look: ChartStyle) -> AxisSpan:
    values = [value for one in points for value in (one["x"], *one["ends"][2:])]
    among = [budget] if budget is not None and budget > 0 else []
    return span(values, look.width, f"{part} latency, ms", log=True, among=among)


def _up(points: list[Point], metric: str, least: float | None) -> AxisSpan:
    values = [value for one in points for value in (one["y"], *one["ends"][:2])]
    return span(values, HEIGHT, metric, down=True, among=[] if least is None else [least])


def _front(report: Report, points: list[Point], on: str) -> tuple[list[Spot], str]:
    """Return the front, and what is to be said of it; queries that failed took no time."""
    whole = [one for one in points if not one["shown"].run.errors]
    spots = [(one["shown"].number, (one["x"], one["y"])) for one in whole]
    front = front_of([spot for _, spot in spots], better=rises(report))
    return front, fronts(report, spots, front, on)


def _steps(front: list[Spot], plane: Plane) -> list[Any]:
    """Draw the step line of those that no run beats in both."""
    if len(front) < 2:
        return []
    steps = [{"x": x, "y": y, "of": "front"} for x, y in _ended(front, plane)]
    style: Point = {"interpolate": "step-after", "strokeWidth": 1.5, "strokeDash": [2, 3]}
    return [plane.layer("line", steps, color=plane.look.quiet, **style)]


def _ended(front: list[Spot], plane: Plane) -> list[Spot]:
    """Let the front go on to the right, where nothing better follows."""
    return [*front, (plane.x.high, front[-1][1])]


def _intervals(points: list[Point], plane: Plane) -> list[Any]:
    """Draw both intervals of each run; an upper end that is not known is broken."""
    upright = [_line(one, plane) | {"y": one["ends"][0], "y2": one["ends"][1]} for one in points]
    across = [_line(one, plane) | {"x": one["ends"][2], "x2": one["ends"][3]} for one in points]
    drawn = [plane.layer("rule", rows, strokeWidth=1.5, opacity=0.6) for rows in (upright, across)]
    broken = [_line(one, plane) | {"x2": _beyond(one["x"], plane)} for one in points if one["open"]]
    dashed: Point = {"strokeWidth": 1.5, "opacity": 0.6, "strokeDash": [3, 3]}
    return [*drawn, *([plane.layer("rule", broken, **dashed)] if broken else [])]


def _beyond(x: float, plane: Plane) -> float:
    return plane.x.value(min(plane.x.at(x) + OPEN, plane.x.length))


def _line(one: Point, plane: Plane) -> Point:
    colour = plane.look.run(one["shown"].number)
    return {"x": one["x"], "y": one["y"], "colour": colour, "say": one["say"]}


def _marks(points: list[Point], plane: Plane) -> Drawing:
    rows = [_line(one, plane) | {"shape": plane.look.shape(one["shown"].number)} for one in points]
    return plane.layer("point", rows, filled=True, size=80, opacity=1)


def _labels(
    points: list[Point], plane: Plane, taken: list[Box], front: list[Spot], *, named: bool
) -> list[Any]:
    """Write names or numbers; a name is long, and must not seem to be that of another point."""
    rows = [
        {key: one[key] for key in ("x", "y", "say")}
        | {"text": _label(one["shown"], len(points), named=named)}
        for one in points
    ]
    crossed = [*_crossed(points, plane), *_stepped(front, plane), *taken]
    return labels(rows, plane, crossed=crossed, clear=12.0 if named else 0.0)


def _crossed(points: list[Point], plane: Plane) -> list[Box]:
    """Return the lines of the intervals in pixels, which labels should leave free."""
    found = []
    for one in points:
        x, y = plane.x.at(one["x"]), plane.y.at(one["y"])
        low, high, fast, slow = one["ends"]
        found.append((x - 1, plane.y.at(high), x + 1, plane.y.at(low)))
        far = plane.x.at(slow) + (OPEN if one["open"] else 0.0)
        found.append((plane.x.at(fast), y - 1, far, y + 1))
    return found


def _stepped(front: list[Spot], plane: Plane) -> list[Box]:
    """Return the lines of the front in pixels, across and upright."""
    if len(front) < 2:
        return []
    spots = [(plane.x.at(x), plane.y.at(y)) for x, y in _ended(front, plane)]
    found = []
    for (x, y), (far, high) in pairwise(spots):
        found.append((x, y - 2, far, y + 2))
        found.append((far - 2, min(y, high), far + 2, max(y, high)))
    return found


def _label(one: ChartRun, count: int, *, named: bool) -> str:
    if not named:
        return str(one.number)
    return f"{one.number} {one.name}" if count > 1 else one.name
