"""Lines, one per run, each with its number at its last point; none of these covers another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.reports.charts._placing import spread
from assay.reports.charts._plane import Plane, said

__all__ = ["Line", "lines"]

AWAY = 11.0  # pixels from a point to its label
HIGH = 13.0  # of a label
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """Points of a run, by their number in the report, and what stands at their end."""

    run: int
    label: str
    points: tuple[tuple[float, float], ...]
    words: tuple[str, ...]


def lines(them: Sequence[Line], plane: Plane) -> list[Any]:
    """Draw lines with a mark at each point; the label of a line stands where it ends."""
    marks = [_mark(line, at, plane) for line in them for at in range(len(line.points))]
    paths = [mark | {"of": f"{at}"} for at, line in enumerate(them) for mark in _path(line, plane)]
    texts, leads = _ends(them, plane)
    return [
        plane.layer("rule", leads, color=plane.look.axis, strokeWidth=0.75),
        plane.layer("line", paths, strokeWidth=1.75),
        plane.layer("point", marks, filled=True, size=45, opacity=1),
        plane.halo(texts, align="left"),
        plane.text(texts, align="left"),
    ]


def _ends(them: Sequence[Line], plane: Plane) -> tuple[list[Row], list[Row]]:
    """Place labels right of where lines end, in the order of these, and short lines to them.

    A line to the edge of the plane would look like one that goes on.
    """
    texts: list[Row] = []
    leads: list[Row] = []
    for x in {line.points[-1][0]: None for line in them}:
        here = [line for line in them if line.points[-1][0] == x]
        spots = [plane.y.at(line.points[-1][1]) for line in here]
        places = spread(spots, HIGH, (0.0, max(plane.y.length, HIGH * len(here))))
        at = plane.x.at(x) + AWAY
        for line, place in zip(here, places, strict=True):
            end, y = plane.x.value(at - 2), plane.y.value(place)
            leads.append({"x": x, "y": line.points[-1][1], "x2": end, "y2": y})
            say = said(line.words[-1], run=line.run)
            texts.append({"x": plane.x.value(at), "y": y, "text": line.label, "say": say})
    return texts, leads


def _mark(line: Line, at: int, plane: Plane) -> Row:
    x, y = line.points[at]
    look = plane.look
    own = {"colour": look.run(line.run), "shape": look.shape(line.run)}
    return {"x": x, "y": y, **own, "say": said(line.words[at], run=line.run)}


def _path(line: Line, plane: Plane) -> list[Row]:
    colour = plane.look.run(line.run)
    say = said(line.words[-1], run=line.run)
    return [{"x": x, "y": y, "colour": colour, "say": say} for x, y in line.points]
