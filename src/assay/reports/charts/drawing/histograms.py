"""Heaps: how many queries fall where, a band per run, with the mean or median as a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.reports.charts.drawing.plane import Drawing, Plane, pixels, said
from assay.reports.charts.drawing.rows import rows
from assay.reports.charts.drawing.shown_runs import ChartRun
from assay.reports.charts.drawing.span import AxisSpan
from assay.reports.charts.look import ChartStyle
from assay.text.count_noun import count_noun

__all__ = ["ROOM", "SHARES", "Histogram", "histograms"]

BAND = 34.0
ROOM = 40.0  # pixels right of the bands, for a share
SHARES = (
    "Columns are percentages of the queries of a run, scaled to the tallest, whose percentage is "
    "on the right."
)


@dataclass(frozen=True, slots=True)
class Histogram:
    """The counts between edges, the value that is marked, and what it is called."""

    shown: ChartRun
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    middle: float
    words: str


def histograms(them: Sequence[Histogram], across: AxisSpan, look: ChartStyle) -> Drawing:
    """Draw a histogram for each run; its highest column has the whole height, and is told.

    One run with nearly all of its queries in a column would make those of the others flat.
    """
    laid = rows([one.shown for one in them], look, band=BAND)
    plane = Plane(across, pixels(laid.height), look)
    columns, lines, floors, shares = [], [], [], []
    for heap, band in zip(them, laid.bands, strict=True):
        number, most = heap.shown.number, _tallest(heap)
        own = {"colour": look.run(number), "say": said(heap.words, run=number)}
        for at, count in enumerate(heap.counts):
            high = BAND * count / (most or 1)
            ends = {"x": heap.edges[at], "x2": heap.edges[at + 1]}
            place = ends | {"y": band.bottom - high, "y2": band.bottom}
            columns += [own | place | {"say": _told(heap, at, number)}] if count else []
        lines.append(own | {"x": heap.middle, "y": band.top + 1, "y2": band.bottom})
        floors.append({"x": across.low, "x2": across.high, "y": band.bottom})
        share = f"{most / (sum(heap.counts) or 1):.0%}"
        shares.append({"y": band.top + 5, "text": share, "say": own["say"]})
    layers = [
        plane.layer("rule", floors, color=look.axis, strokeWidth=0.75),
        plane.layer("rect", columns, stroke=look.paper, strokeWidth=0.75, opacity=0.8),
        plane.layer("rule", [line | {"colour": look.ink} for line in lines], strokeWidth=2),
        plane.text(shares, fixed={"x": across.length + 6}, align="left", color=look.quiet),
        laid.names(plane),
    ]
    return plane.layered(layers)


def _tallest(heap: Histogram) -> int:
    return max(heap.counts, default=0)


def _told(heap: Histogram, at: int, number: int) -> str:
    low, high, count = heap.edges[at], heap.edges[at + 1], heap.counts[at]
    return said(
        f"{heap.shown.name}: {count_noun(count, 'query')} from {low:.3g} to {high:.3g}", run=number
    )
