"""Rows: one band per run, below its name; so the longest names need no key."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.reports.charts.drawing.plane import Drawing, Plane, said
from assay.reports.charts.drawing.shown_runs import ChartRun
from assay.reports.charts.drawing.widths import wrapped
from assay.reports.charts.look import ChartStyle

__all__ = ["Band", "Rows", "rows"]

LINE = 14.0  # pixels of a line of text
GAP = 9.0


@dataclass(frozen=True, slots=True)
class Band:
    """Where the marks of a run go: pixels from the top."""

    shown: ChartRun
    lines: tuple[str, ...]
    first: float
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        """The middle of the band."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Rows:
    """All bands, and how high they are together."""

    bands: tuple[Band, ...]
    height: float

    def names(self, plane: Plane) -> Drawing:
        """Write the name of each run above its band, from the left edge on."""
        written = [
            {
                "y": band.first + LINE * at,
                "text": line,
                "say": said(band.shown.name, run=band.shown.number),
            }
            for band in self.bands
            for at, line in enumerate(band.lines)
        ]
        return plane.text(written, fixed={"x": 0}, align="left")


def rows(them: Sequence[ChartRun], look: ChartStyle, *, band: float) -> Rows:
    """Lay out one band of a height for each run, with the lines of its name above."""
    found: list[Band] = []
    at = 4.0
    for one in them:
        name = f"{one.number}  {one.name}"
        lines = tuple(wrapped(name, look.width, look.size, lines=3))
        top = at + LINE * len(lines)
        found.append(Band(one, lines, at + LINE / 2, top, top + band))
        at = top + band + GAP
    return Rows(tuple(found), at - GAP + 4.0)
