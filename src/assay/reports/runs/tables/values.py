"""Values: a row per run with all that was measured, for other programs."""

from collections.abc import Mapping
from typing import Any

from assay.records import Cell, Report, Run, Table

__all__ = ["values"]

LATENCY = ("mean", "p50", "p95", "p99")


def values(report: Report) -> Table:
    """Write every figure at full precision; what was not measured is empty."""
    rows = [_row(run, report) for run in report.runs]
    titles = dict.fromkeys(title for row in rows for title in row)
    return Table(tuple(titles), [[row.get(title) for title in titles] for row in rows])


def _row(run: Run, report: Report) -> dict[str, Cell]:
    row: dict[str, Cell] = {"run": run.name, "fingerprint": run.fingerprint, "status": run.status}
    for name in report.benchmark["metrics"]:
        interval = run.intervals.get(name)
        known = interval is not None and abs(interval.high) < float("inf")
        row[name] = run.scores.get(name)
        row[f"{name} low"] = interval.low if interval and known else None
        row[f"{name} high"] = interval.high if interval and known else None
    row |= {f"latency_{name}_ms": run.latency_ms.get(name) for name in LATENCY}
    row |= _plain("index", run.indexing) | _plain("", run.storage)
    row |= {"errors": run.errors, "judged@10": run.judged_at_10}
    return row | {f"setting {key}": _cell(value) for key, value in run.configuration.items()}


def _plain(prefix: str, figures: Mapping[str, Any]) -> dict[str, Cell]:
    """Keep numbers and texts; a unit already says what the name is about."""
    return {
        f"{prefix}_{key}".strip("_"): value
        for key, value in figures.items()
        if isinstance(value, int | float | str)
    }


def _cell(value: object) -> Cell:
    return value if isinstance(value, str | int | float) else str(value)
