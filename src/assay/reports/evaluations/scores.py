"""Scores: the values for other programs, a row per run or per run and query."""

from collections.abc import Sequence

from assay.records import Cell, Evaluation, Table

__all__ = ["scores"]


def scores(evaluations: Sequence[Evaluation], *, per_query: bool) -> Table:
    """Give each metric a column."""
    metrics = list(evaluations[0].scores)
    if not per_query:
        means: list[list[Cell]] = [[e.run, *(e.scores[m] for m in metrics)] for e in evaluations]
        plain = [m for m in metrics if m in evaluations[0].scores_unweighted]
        for row, one in zip(means, evaluations, strict=True):
            row += [one.scores_unweighted[m] for m in plain]
        return Table(("run", *metrics, *(f"{m} unweighted" for m in plain)), means)
    rows = [row for evaluation in evaluations for row in _queries(evaluation, metrics)]
    return Table(("run", "query", *metrics), rows)


def _queries(evaluation: Evaluation, metrics: list[str]) -> list[tuple[Cell, ...]]:
    columns = [evaluation.per_query[metric].tolist() for metric in metrics]
    return [
        (evaluation.run, query, *values)
        for query, *values in zip(evaluation.queries, *columns, strict=True)
    ]
