"""Loads: the latency of queries at a given rate of arrival, and the cores that it needs."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._table_of import Shown, table_of
from assay.text.count_noun import count_noun

__all__ = ["loads"]

FEW = 2  # loads up to which each is told in full
FULL = "overload"  # more queries than these cores can serve: the queue grows for ever
FULLY = ("p50_ms", "p95_ms", "p99_ms", "utilisation", "cores_needed")
PRICE = "price_per_hour"
TITLES = {"p50_ms": "p50", "p95_ms": "p95", "p99_ms": "p99", "utilisation": "busy"}
TITLES |= {"cores_needed": "cores", PRICE: "price/h"}
FORMS = {"utilisation": ".0%", "cores_needed": ",d", PRICE: ",.3f"}


def loads(report: Report) -> Table | None:
    """Lay out the same loads for every run that was simulated."""
    found = report.analysis.get("load") or {}
    runs = {run: one["loads"] for run, one in (found.get("runs") or {}).items() if one["loads"]}
    if not runs:
        return None
    each = [one["qps"] for one in next(iter(runs.values()))]
    few = len(each) <= FEW
    priced = any(PRICE in one for its in runs.values() for one in its)
    columns = (*FULLY, *([PRICE] if priced else [])) if few else ("p95_ms",)
    heads = [head for qps in each for head in _heads(f"{qps:,g}/s", columns)]
    cores = count_noun(found["cores"], "core")
    what = "Latency in ms" if few else "p95 latency in ms"
    said = f"{what} by queries per second (random arrivals) on {cores}"
    said += "; cores: the number that keeps p95 within 5 times that of a single query" * few
    return table_of(
        ("run", *heads), [_row(run, its, columns) for run, its in runs.items()], f"{said}."
    )


def _heads(load: str, columns: Sequence[str]) -> list[str]:
    """Title the columns of a load; the first of them names it."""
    if len(columns) == 1:
        return [load]
    first, *rest = (TITLES[name] for name in columns)
    return [f"{first} at {load}", *rest]


def _row(run: str, its: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> list[Shown]:
    shown = [(one.get(name), _shown(name, one.get(name))) for one in its for name in columns]
    return [(run, run), *shown]


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return FULL if name.endswith("_ms") else "-"
    return f"{value:{FORMS.get(name, ',.2f')}}"
