"""Scores: the values for other programs, a row per run or per run and query."""

from collections.abc import Sequence

from assay.records import Cell, Evaluation, Table

__all__ = ["scores"]


def scores(evaluations: Sequence[Evaluation], *, per_query: bool) -> Table:
    """Give each metric a column."""
    metrics = list(evaluations[0].scores)
    if not per_query:
        means: list[list[Cell]] = [[e.run, *(e.scores[m] for m in metrics)] for e in evaluations]
        return Table(("run", *metrics), means)
    rows = [row for evaluation in evaluations for row in _queries(evaluation, metrics)]
    return Table(("run", "query", *metrics), rows)


def _queries(evaluation: Evaluation, metrics: list[str]) -> list[tuple[Cell, ...]]:
    columns = [evaluation.per_query[metric].tolist() for metric in metrics]
    return [
        (evaluation.run, query, *values)
        for query, *values in zip(evaluation.queries, *columns, strict=True)
    ]
