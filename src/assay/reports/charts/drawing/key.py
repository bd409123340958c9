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
UNNUMBERED = 18.0  # and for the mark alone


def key(
    them: Sequence[ChartRun], look: ChartStyle, *, marked: bool = True, numbered: bool = True
) -> Drawing:
    """List the runs below a chart, in two columns where the names are short.

    Lines of several runs are listed like runs, but not ``numbered``.
    """
    indent = INDENT if numbered else UNNUMBERED
    widest = max(wide(one.name, look.size) for one in them)
    columns = next((n for n in (3, 2) if indent + widest + 12 <= look.width / n), 1)
    room = look.width / columns - indent - 12
    rows, height = _placed(them, look, columns, room, numbered=numbered)
    plane = Plane(pixels(look.width), pixels(height), look)
    numbers = [
        row | {"text": str(row["number"]), "x": row["x"] + 26}
        for row in rows
        if row["first"] and numbered
    ]
    names = [row | {"x": row["x"] + indent} for row in rows]
    marks = (
        [plane.layer("point", _marks(rows, look), filled=True, size=45, opacity=1)]
        if marked
        else []
    )
    written = [plane.text(numbers, align="right")] if numbers else []
    return plane.layered([*marks, *written, plane.text(names, align="left")])


def _placed(
    them: Sequence[ChartRun], look: ChartStyle, columns: int, room: float, *, numbered: bool
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
                say = said(one.name, run=one.number if numbered else None)
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
