"""Texts beside points: they cover no mark, and where they are far a line goes to their own."""

from collections.abc import Sequence
from typing import Any

from assay.reports.charts.drawing.placement import Box, placed
from assay.reports.charts.drawing.plane import Plane
from assay.reports.charts.drawing.widths import wide

__all__ = ["labels"]

HIGH = 13.0  # of a line of text
NEAR = 13.0  # pixels up to which a text needs no line to its point
Row = dict[str, Any]


def labels(
    points: Sequence[Row], plane: Plane, *, crossed: Sequence[Box] = (), clear: float = 0.0
) -> list[Any]:
    """Write the ``text`` of each point near it, best not on what is ``crossed``.

    ``clear`` is the room in pixels that a text leaves around the points of others.
    """
    sizes = [(wide(str(one["text"]), plane.look.size), HIGH) for one in points]
    spots = [(plane.x.at(one["x"]), plane.y.at(one["y"])) for one in points]
    within = (plane.x.length, plane.y.length)
    found = placed(spots, sizes, within, lines=crossed, clear=clear)
    rows = [
        {"x": plane.x.value(x), "y": plane.y.value(y), "text": one["text"], "say": one["say"]}
        for (x, y), one in zip(found, points, strict=True)
    ]
    leads = [
        lead
        for spot, place, size in zip(spots, found, sizes, strict=True)
        for lead in _leads(spot, place, size, plane)
    ]
    lines = [plane.layer("rule", leads, color=plane.look.quiet, strokeWidth=0.75)] if leads else []
    return [*lines, plane.halo(rows), plane.text(rows)]


def _leads(
    spot: tuple[float, float],
    place: tuple[float, float],
    size: tuple[float, float],
    plane: Plane,
) -> list[Row]:
    """Return a line from a point to the nearest edge of its text, where that is far."""
    x = min(max(spot[0], place[0] - size[0] / 2), place[0] + size[0] / 2)
    y = min(max(spot[1], place[1] - size[1] / 2), place[1] + size[1] / 2)
    if max(abs(x - spot[0]), abs(y - spot[1])) <= NEAR:
        return []
    ends = [(plane.x.value(a), plane.y.value(b)) for a, b in (spot, (x, y))]
    return [{"x": ends[0][0], "y": ends[0][1], "x2": ends[1][0], "y2": ends[1][1]}]
