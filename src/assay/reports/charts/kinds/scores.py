"""Distribution of the scores of each run over its queries."""

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.histograms import ROOM, SHARES, Histogram, histograms
from assay.reports.charts.drawing.plane import Drawing
from assay.reports.charts.drawing.shown_runs import (
    ChartRun,
    alike,
    known,
    left_out,
    mean,
    primary,
    shown,
)
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.charts.look import ChartStyle

__all__ = ["scores"]

COLUMNS = 20


def scores(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw a histogram of the primary metric per run, all on one axis."""
    metric = primary(report)
    there = shown(report, lambda one: one.per_query)
    values = {one.number: _values(one, metric) for one in there}
    there = [one for one in there if values[one.number]]
    if not there:
        return None
    every = [value for one in there for value in values[one.number]]
    across = _across(every, metric, look)
    found = [
        _heap(one, values[one.number], metric, (min(0.0, *every), max(1.0, *every)))
        for one in there
    ]
    return frame(
        [histograms(found, across, look)],
        report,
        look,
        title=f"distribution of {metric} over queries",
        lines=[
            f"{SHARES} The line is the mean{alike(report)}.",
            left_out(report, there),
        ],
        tells=". ".join(heap.words for heap in found),
    )


def _values(one: ChartRun, metric: str) -> list[float]:
    told = (known(each.get(metric)) for each in one.run.per_query.values())
    return [value for value in told if value is not None]


def _across(every: list[float], metric: str, look: ChartStyle) -> AxisSpan:
    return span(every, look.width - ROOM, metric, among=[0.0, 1.0])


def _heap(one: ChartRun, values: list[float], metric: str, ends: tuple[float, float]) -> Histogram:
    import numpy as np

    counts, edges = np.histogram(values, bins=COLUMNS, range=ends)
    told = known(one.run.scores.get(metric))  # of several datasets each counts alike
    middle = mean(values) if told is None else told
    words = f"{one.name}: mean {metric} {middle:.3f} of {len(values)} queries"
    return Histogram(one, tuple(map(float, edges)), tuple(map(int, counts)), middle, words)
