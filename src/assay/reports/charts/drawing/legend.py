"""What colours stand for: each with its name, in as many lines as are needed."""

from collections.abc import Sequence
from typing import Any

from assay.reports.charts.drawing.plane import Drawing, Plane, pixels
from assay.reports.charts.drawing.widths import wide, wrapped
from assay.reports.charts.look import Look
from assay.text import sanitize

__all__ = ["legend"]

LINE = 17.0


def legend(entries: Sequence[tuple[str, str]], look: Look) -> Drawing:
    """Write names beside their colours from left to right."""
    rows: list[dict[str, Any]] = []
    x, y = 0.0, 8.0
    for name, colour in entries:
        (text,) = wrapped(sanitize(name), 200, look.size, lines=1)
        needed = wide(text, look.size) + 34
        if x and x + needed > look.width:
            x, y = 0.0, y + LINE
        rows.append({"x": x, "y": y, "text": text, "colour": colour})
        x += needed
    plane = Plane(pixels(look.width), pixels(y + 8), look)
    boxes = [{"x": row["x"] + 6, "y": row["y"], "colour": row["colour"]} for row in rows]
    names = [{"x": row["x"] + 16, "y": row["y"], "text": row["text"]} for row in rows]
    marks = plane.layer("point", boxes, filled=True, size=110, shape="square", opacity=1)
    return plane.layered([marks, plane.text(names, align="left")])
