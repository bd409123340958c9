"""Scores: a row per run and metric with its interval, for other programs."""

from assay.records import Cell, Report, Run, Table

__all__ = ["scores"]


def scores(report: Report) -> Table:
    """Write each mean at full precision; an end that is not known is empty."""
    rows = [_row(run, metric) for run in report.runs for metric in run.scores]
    return Table(("run", "metric", "score", "low", "high"), rows)


def _row(run: Run, metric: str) -> list[Cell]:
    ends = run.intervals.get(metric)
    known = ends is not None and abs(ends.high) < float("inf")
    low, high = (ends.low, ends.high) if ends is not None and known else (None, None)
    return [run.name, metric, run.scores[metric], low, high]
