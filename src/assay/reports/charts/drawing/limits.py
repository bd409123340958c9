"""Limits: a line across a chart where a budget is, with its words."""

from collections.abc import Sequence
from typing import Any

from assay.records import Report
from assay.reports.charts.drawing.placement import Box
from assay.reports.charts.drawing.plane import Drawing, Plane
from assay.reports.charts.drawing.shown_runs import known
from assay.reports.charts.drawing.widths import wide

__all__ = ["least_score", "level_score", "limit_of", "most_latency"]

BESIDE = 5  # pixels between a line and its words
HALF = 8.0  # pixels from a line to the middle of the words above or below it
Drawn = tuple[list[Drawing], list[Box]]  # layers, and what they take of the chart in pixels


def limit_of(report: Report, name: str) -> float | None:
    """Return the budget for a cost or a metric; None where there is none."""
    return known((report.benchmark.get("budgets") or {}).get(name))


def most_latency(plane: Plane, part: str, limit: float | None) -> Drawn:
    """Draw the most of a latency, which is across, as an upright line."""
    if limit is None:
        return [], []
    return _upright(plane, limit, f"budget {limit:g} ms", f"budget: {part} at most {limit:g} ms")


def least_score(plane: Plane, metric: str, limit: float | None) -> Drawn:
    """Draw the least of a score, which is across, as an upright line."""
    if limit is None:
        return [], []
    return _upright(plane, limit, f"minimum {limit:g}", _least(metric, limit))


def level_score(
    plane: Plane, metric: str, limit: float | None, *, taken: Sequence[Box] = ()
) -> Drawn:
    """Draw the least of a score, which goes up, as a level line with words at one of its ends.

    They are at the right end, if nothing of what is ``taken`` is there.
    """
    if limit is None or not plane.y.low <= limit <= plane.y.high:
        return [], []
    text, right, at = f"minimum {limit:g}", plane.x.length, plane.y.at(limit)
    up = HALF if at > 2 * HALF else -HALF
    room = wide(text, plane.look.size) + 2 * BESIDE
    is_free = all(far <= right - room for _, _, far, _ in taken)
    side, x, start = ("right", right - BESIDE, right - room) if is_free else ("left", BESIDE, 0.0)
    words = plane.text(
        [{"y": limit, "text": text}],
        fixed={"x": x},
        align=side,
        dy=-up,
        color=plane.look.worse,
    )
    boxes = [(0.0, at - 3, right, at + 3), (start, at - up - 7, start + room, at - up + 7)]
    return [_line(plane, {"y": limit, "say": _least(metric, limit)}), words], boxes


def _upright(plane: Plane, limit: float, text: str, say: str) -> Drawn:
    """Draw a line up, with its words above the chart."""
    if not plane.x.low <= limit <= plane.x.high:
        return [], []
    at = plane.x.at(limit)
    side, shift = ("right", -BESIDE) if at > plane.x.length / 2 else ("left", BESIDE)
    words = plane.text(
        [{"x": limit, "text": text}],
        fixed={"y": -7},
        align=side,
        dx=shift,
        color=plane.look.worse,
    )
    line = _line(plane, {"x": limit, "say": say})
    return [line, words], [(at - 4, 0.0, at + 4, plane.y.length)]


def _least(metric: str, limit: float) -> str:
    return f"budget: {metric} at least {limit:g}"


def _line(plane: Plane, row: dict[str, Any]) -> Drawing:
    style: dict[str, Any] = {"strokeDash": [6, 3], "strokeWidth": 1.5}
    return plane.layer("rule", [row], color=plane.look.worse, **style)
