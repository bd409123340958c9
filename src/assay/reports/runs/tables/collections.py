"""Collections: what each run scores on each of several datasets, and how far these lie apart."""

from collections.abc import Mapping
from typing import Any

from assay.records import Cell, Report, Run, Table

__all__ = ["collections"]


def collections(report: Report, metric: str = "") -> Table | None:
    """Lay out runs and collections, the longer side downwards; None where there is only one."""
    metric = metric or str(report.benchmark["primary"])
    runs = [run for run in report.runs if run.collections]
    names = list(dict.fromkeys(name for run in runs for name in run.collections))
    if len(names) < 2:
        return None
    titles = [*names, "mean", "sd", "range"]
    columns = [_column(run, metric, names) for run in runs]
    caption = f"{metric} by collection (mean: equal weights)"
    if len(runs) > len(names):
        rows: list[list[Cell]] = [[run.name, *c] for run, c in zip(runs, columns, strict=True)]
        best = _best(columns, len(names) + 1)
        return Table(("run", *titles), rows, caption, frozenset((r, c + 1) for r, c in best))
    rows = [[title, *(column[at] for column in columns)] for at, title in enumerate(titles)]
    marks = frozenset((c, r + 1) for r, c in _best(columns, len(names) + 1))
    heads = ("collection", *(run.name for run in runs))
    return Table(heads, rows, caption, marks, names=frozenset([0]))


def _column(run: Run, metric: str, names: list[str]) -> list[float | None]:
    scores = [_number(run.collections.get(name, {}).get(metric)) for name in names]
    macro = run.macro.get(metric, {})
    known = [score for score in scores if score is not None]
    spread = max(known) - min(known) if known else None
    told = _number(macro.get("range"))
    mean = _number(macro.get("mean", run.scores.get(metric)))
    return [*scores, mean, _number(macro.get("sd")), spread if told is None else told]


def _best(columns: list[list[float | None]], most: int) -> set[tuple[int, int]]:
    """Mark the best run of each collection, and of their mean."""
    found: set[tuple[int, int]] = set()
    for at in range(most):
        known = [column[at] for column in columns]
        top = max((one for one in known if one is not None), default=None)
        if len(columns) > 1 and top is not None:
            found |= {(row, at) for row, one in enumerate(known) if one == top}
    return found


def _number(value: Any) -> float | None:  # noqa: ANN401 - as a report has it
    if isinstance(value, Mapping):
        return _number(value.get("value"))
    return float(value) if isinstance(value, int | float) else None
