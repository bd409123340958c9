"""The queries that gained and lost the most, by name: below the bars, on the side of theirs."""

from collections.abc import Sequence
from typing import Any

from assay.reports.charts.drawing.plane import Drawing, Plane, pixels
from assay.reports.charts.drawing.widths import wide, wrapped
from assay.reports.charts.look import Look

__all__ = ["extremes"]

FEW = 3
LINE = 14.0
SAME = 1e-9
Row = dict[str, Any]


def extremes(
    queries: Sequence[tuple[str, float]], worth: Sequence[float], look: Look
) -> Drawing | None:
    """Name up to three queries of each sign; nothing where none changed.

    ``queries`` are names and their changes, sorted by ``worth``, the most gained first.
    """
    pairs = [*zip(queries, worth, strict=True)]
    gained = [query for query, gain in pairs if gain > SAME]
    lost = [query for query, gain in reversed(pairs) if gain < -SAME]
    if not gained and not lost:
        return None
    sides = (("Gained most", gained, 0.0), ("Lost most", lost, look.width / 2 + 8))
    heads: list[Row] = []
    rows: list[Row] = []
    for title, found, left in sides:
        heads.append({"x": left, "y": 8.0, "text": title if found else ""})
        rows += _listed(found[:FEW], left, look)
    plane = Plane(pixels(look.width), pixels(max(row["y"] for row in rows) + 8), look)
    return plane.layered(
        [plane.text(heads, align="left", fontWeight="bold"), plane.text(rows, align="left")]
    )


def _listed(queries: Sequence[tuple[str, float]], left: float, look: Look) -> list[Row]:
    """Write a change and the name beside it, in two lines at most."""
    rows: list[Row] = []
    at = 8.0 + LINE + 3
    indent = wide("+0.000", look.size) + 8
    for name, change in queries:
        rows.append({"x": left, "y": at, "text": f"{change:+.3f}"})
        for line in wrapped(name, look.width / 2 - 16 - indent, look.size):
            rows.append({"x": left + indent, "y": at, "text": line})
            at += LINE
        at += 2
    return rows
