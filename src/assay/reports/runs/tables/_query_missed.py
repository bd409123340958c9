"""Of a query: the relevant documents that runs do not show, and the stage that lost each."""

from collections.abc import Mapping, Sequence

from assay.records import Cell, Report, Run, Table

__all__ = ["missed_tables"]

MOST = 20  # documents that are named: no more than a run names, and in the same order
FEW = 3  # runs that are named one by one


def missed_tables(report: Report, query: str, grades: Mapping[str, float]) -> list[Table]:
    """Lay out a row for each document and stage, with the runs in which it is lost there."""
    runs: dict[tuple[str, str], list[str]] = {}
    telling = [run for run in report.runs if run.waterfall]
    for run in telling:
        for document, stage in run.missed.get(query, {}).items():
            runs.setdefault((document, stage), []).append(run.name)
    every = dict.fromkeys(document for document, _ in runs)
    shown = sorted(every, key=lambda one: (-grades.get(one, 0), one))[:MOST]
    rows: list[list[Cell]] = [
        [document, grades.get(document), stage, _named(names, len(telling))]
        for document in shown
        for (other, stage), names in runs.items()
        if other == document
    ]
    caption = "Relevant documents that are not shown, and the stage that lost each"
    caption += _more(telling, query, len(every), len(shown))
    titles = ("document", "grade", "lost by", "runs")
    return [Table(titles, rows, caption, names=frozenset({0, 2, 3}))] if rows else []


def _more(telling: Sequence[Run], query: str, known: int, shown: int) -> str:
    """Count those that are not shown; what several runs do not name may be the same, or not."""
    counts = [len(run.missed.get(query, {})) + run.missed_more.get(query, 0) for run in telling]
    left = max(known, *counts, 0) - shown
    unsure = len(telling) > 1 and any(query in run.missed_more for run in telling)
    return f"; and {'at least ' if unsure else ''}{left:,} more" if left else ""


def _named(names: Sequence[str], telling: int) -> str:
    if len(names) == telling > 1:
        return f"all {telling}"
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
