"""Loads: how long queries take when so many arrive per second, and the cores that it needs."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._laid import Shown, laid

__all__ = ["loads"]

FEW = 2  # loads up to which each is told in full
FULL = "too many"  # queries for these cores: the queue grows for ever


def loads(report: Report) -> Table | None:
    """Lay out the same loads for every run that was simulated."""
    found = report.analysis.get("load") or {}
    runs = {run: one["loads"] for run, one in (found.get("runs") or {}).items() if one["loads"]}
    if not runs:
        return None
    each = [one["qps"] for one in next(iter(runs.values()))]
    few = len(each) <= FEW
    heads = [head for qps in each for head in _heads(f"{qps:,g}/s", few=few)]
    cores = f"{found['cores']} core{'s' * (found['cores'] != 1)}"
    what = "Times in ms" if few else "p95 in ms"
    said = f"{what} when so many queries arrive per second, at random, at {cores}"
    said += "; the last column: the cores that keep p95 within bounds." if few else "."
    return laid(("run", *heads), [_row(run, its, few=few) for run, its in runs.items()], said)


def _heads(load: str, *, few: bool) -> Sequence[str]:
    return (f"p50 at {load}", "p95", "p99", "busy", "cores") if few else (load,)


def _row(run: str, its: Sequence[Mapping[str, Any]], *, few: bool) -> list[Shown]:
    row: list[Shown] = [(run, run)]
    for one in its:
        names = ("p50_ms", "p95_ms", "p99_ms") if few else ("p95_ms",)
        row += [(one[name], _time(one[name])) for name in names]
        if few:
            row.append((one["utilisation"], f"{one['utilisation']:.0%}"))
            row.append((one.get("cores_needed"), str(one.get("cores_needed") or "-")))
    return row


def _time(value: float | None) -> str:
    return FULL if value is None else f"{value:,.2f}"
