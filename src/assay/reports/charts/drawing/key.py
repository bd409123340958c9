"""The key of a chart that has room for numbers only: each with its mark and its name."""

from collections.abc import Sequence
from typing import Any

from assay.reports.charts.drawing.plane import Drawing, Plane, pixels, said
from assay.reports.charts.drawing.shown_runs import ChartRun
from assay.reports.charts.drawing.widths import wide, wrapped
from assay.reports.charts.look import ChartStyle

__all__ = ["key"]

LINE = 14.0
INDENT = 34.0  # room for the mark and the number


def key(them: Sequence[ChartRun], look: ChartStyle, *, marked: bool = True) -> Drawing:
    """List the runs below a chart, in two columns where the names are short."""
    widest = max(wide(one.name, look.size) for one in them)
    columns = next((n for n in (3, 2) if INDENT + widest + 12 <= look.width / n), 1)
    room = look.width / columns - INDENT - 12
    rows, height = _placed(them, look, columns, room)
    plane = Plane(pixels(look.width), pixels(height), look)
    numbers = [
        row | {"text": str(row["number"]), "x": row["x"] + 26} for row in rows if row["first"]
    ]
    names = [row | {"x": row["x"] + INDENT} for row in rows]
    marks = (
        [plane.layer("point", _marks(rows, look), filled=True, size=45, opacity=1)]
        if marked
        else []
    )
    written = [plane.text(numbers, align="right"), plane.text(names, align="left")]
    return plane.layered([*marks, *written])


def _placed(
    them: Sequence[ChartRun], look: ChartStyle, columns: int, room: float
) -> tuple[list[dict[str, Any]], float]:
    """Fill the columns from top to bottom."""
    each = -(-len(them) // columns)
    rows: list[dict[str, Any]] = []
    heights: list[float] = []
    for column in range(columns):
        at = 8.0
        for one in them[column * each : (column + 1) * each]:
            for place, line in enumerate(wrapped(one.name, room, look.size, lines=3)):
                x = column * look.width / columns
                say = said(one.name, run=one.number)
                row = {"x": x, "y": at, "text": line, "say": say, "number": one.number}
                rows.append(row | {"first": place == 0})
                at += LINE
            at += 2
        heights.append(at)
    return rows, max(heights) - 4


def _marks(rows: list[dict[str, Any]], look: ChartStyle) -> list[dict[str, Any]]:
    return [
        {
            "x": row["x"] + 6,
            "y": row["y"],
            "colour": look.run(row["number"]),
            "shape": look.shape(row["number"]),
            "say": row["say"],
        }
        for row in rows
        if row["first"]
    ]
