"""Per query: a row per run, query and metric, for other programs."""

from assay.records import Cell, Report, Table

__all__ = ["per_query"]


def per_query(report: Report) -> Table:
    """Write the score of every query at full precision, and why it failed, if it did."""
    rows: list[list[Cell]] = [
        [run.name, query, metric, score, run.failed.get(query, "")]
        for run in report.runs
        for query, scores in run.per_query.items()
        for metric, score in scores.items()
    ]
    return Table(("run", "query", "metric", "score", "error"), rows)
