"""Distribution of deltaH over queries: how much coherence ranking lowers the energy."""

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.histograms import ROOM, SHARES, Histogram, histograms
from assay.reports.charts.drawing.plane import Drawing
from assay.reports.charts.drawing.shown_runs import ChartRun, known, shown
from assay.reports.charts.drawing.span import span
from assay.reports.charts.look import ChartStyle

__all__ = ["energy"]

FIGURE = "delta_h"


def energy(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw a histogram of deltaH for each run that ranks by structure."""
    there = shown(report, lambda one: one.structure and FIGURE in one.structure.distributions)
    found = [heap for one in there if (heap := _heap(one)) is not None]
    if not found:
        return None
    edges = [edge for heap in found for edge in heap.edges]
    across = span(edges, look.width - ROOM, "deltaH", among=[0.0])
    return frame(
        [histograms(found, across, look)],
        report,
        look,
        title="energy drop by coherence",
        lines=[
            "deltaH per query; 0 where the results are coherent already. The line is the median.",
            SHARES,
        ],
        tells=". ".join(heap.words for heap in found),
    )


def _heap(one: ChartRun) -> Histogram | None:
    structure = one.run.structure
    told = structure.distributions.get(FIGURE) if structure is not None else None
    if told is None or not told.counts or any(known(edge) is None for edge in told.edges):
        return None
    middle = known(told.percentiles.get("p50"))
    middle = told.mean if middle is None else middle
    words = f"{one.name}: median deltaH {middle:.3f} of {told.values} queries"
    edges = _apart(told.edges)
    return Histogram(one, edges, told.counts, middle, words)


def _apart(edges: tuple[float, ...]) -> tuple[float, ...]:
    """Give equal values a column that can be seen."""
    if edges[-1] > edges[0]:
        return edges
    return tuple(edges[0] + 0.01 * (at - (len(edges) - 1) / 2) for at in range(len(edges)))
