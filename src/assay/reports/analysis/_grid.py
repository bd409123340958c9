"""Groups of queries and what each run scores on them -> a table, the best run of each marked."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Cell, Report, Table
from assay.reports.analysis._named import heads

__all__ = ["grid", "weights_note"]


def grid(
    report: Report,
    title: str,
    groups: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    caption: str,
    footer: Sequence[str] = (),
) -> Table:
    """Lay out groups downwards and runs across; each group has ``queries`` and ``scores``."""
    runs = list(dict.fromkeys(run for _, one in groups for run in one["scores"]))
    scores = [[one["scores"].get(run) for run in runs] for _, one in groups]
    rows: list[list[Cell]] = [
        [name, one["queries"], *values] for (name, one), values in zip(groups, scores, strict=True)
    ]
    named, legend = heads(report, runs)
    return Table(
        (title, "queries", *named),
        rows,
        f"{caption}{legend}{weights_note(report)}",
        best=_best(scores),
        texts=_texts(groups, scores),
        footer=[[line, *[None] * (len(runs) + 1)] for line in footer],
        names=frozenset([0]),
    )


def weights_note(report: Report) -> str:
    """Say how the queries of a group count, if they have weights."""
    if not any(one.get("weight") for one in report.queries.values()):
        return ""
    return " Means are weighted by traffic; tests count each query the same."


def _texts(
    groups: Sequence[tuple[str, Mapping[str, Any]]], scores: Sequence[Sequence[float | None]]
) -> dict[tuple[int, int], str]:
    texts = {(row, 1): f"{one['queries']:,}" for row, (_, one) in enumerate(groups)}
    for row, values in enumerate(scores):
        known = ((at, value) for at, value in enumerate(values, 2) if value is not None)
        texts |= {(row, at): f"{value:.3f}" for at, value in known}
    return texts


def _best(scores: Sequence[Sequence[float | None]]) -> frozenset[tuple[int, int]]:
    """Mark the best of each group, unless all are alike."""
    found = set()
    for row, values in enumerate(scores):
        known = {value for value in values if value is not None}
        if len(known) > 1:
            found |= {(row, at) for at, one in enumerate(values, 2) if one == max(known)}
    return frozenset(found)
