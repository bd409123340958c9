"""Queries whose one right answer is a file: the shape that both forms of RepoEval share."""

from collections.abc import Callable
from dataclasses import replace

from assay.datasets.formats._references import by_path
from assay.records import Dataset, Judgment, Query, Rationale

__all__ = ["single_paths"]


def single_paths(
    dataset: Dataset, keep: Callable[[Query], Query], *, lines: bool = False
) -> Dataset:
    """Keep the best judgment of each query as a path; a query without any cannot be kept."""
    queries = tuple(
        replace(keep(query), judgments=(best,))
        for query in dataset.queries
        if (best := _best(query, lines=lines)) is not None
    )
    return Dataset(dataset.name, queries, scale=1)


def _best(query: Query, *, lines: bool) -> Judgment | None:
    relevant = [one for one in query.judgments if one.grade > 0 and by_path(one.reference)]
    if not relevant:
        return None
    best = max(relevant, key=lambda one: one.grade)
    reference = by_path(best.reference)
    because = Rationale(lines=best.lines) if lines and best.lines else None
    return None if reference is None else Judgment(reference, 1, because=because)
