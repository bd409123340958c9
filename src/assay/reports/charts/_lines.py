"""Lines, one per run, each with its number or name at its end; none of these covers another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.reports.charts._placing import spread
from assay.reports.charts._plane import Plane, said

__all__ = ["Line", "lines"]

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """Points of a run, by their number in the report, and what stands at their end."""

    run: int
    label: str
    points: tuple[tuple[float, float], ...]
    words: tuple[str, ...]


def lines(them: Sequence[Line], plane: Plane) -> list[Any]:
    """Draw lines with a mark at each point; labels stand right of the plane, in their order."""
    look = plane.look
    marks = [_mark(line, at, plane) for line in them for at in range(len(line.points))]
    paths = [mark | {"of": f"{at}"} for at, line in enumerate(them) for mark in _path(line, plane)]
    ends = [plane.y.at(line.points[-1][1]) for line in them]
    places = spread(ends, 13.0, (0.0, max(plane.y.length, 13.0 * len(them))))
    texts = [
        {"y": plane.y.value(at), "text": line.label, "say": said(line.words[-1], run=line.run)}
        for line, at in zip(them, places, strict=True)
    ]
    leads = [
        {
            "x": line.points[-1][0],
            "y": line.points[-1][1],
            "x2": plane.x.high,
            "y2": plane.y.value(at),
        }
        for line, at in zip(them, places, strict=True)
    ]
    right = plane.x.length
    return [
        plane.layer("rule", leads, color=look.axis, strokeWidth=0.75, strokeDash=[1, 2]),
        plane.layer("line", paths, strokeWidth=1.75),
        plane.layer("point", marks, filled=True, size=45, opacity=1),
        plane.text(texts, fixed={"x": right + 6}, align="left"),
    ]


def _mark(line: Line, at: int, plane: Plane) -> Row:
    x, y = line.points[at]
    look = plane.look
    own = {"colour": look.run(line.run), "shape": look.shape(line.run)}
    return {"x": x, "y": y, **own, "say": said(line.words[at], run=line.run)}


def _path(line: Line, plane: Plane) -> list[Row]:
    colour = plane.look.run(line.run)
    say = said(line.words[-1], run=line.run)
    return [{"x": x, "y": y, "colour": colour, "say": say} for x, y in line.points]
