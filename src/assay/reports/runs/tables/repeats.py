"""Repeats: what several builds of a run vary by, beside what its queries vary by."""

from collections.abc import Mapping
from typing import Any

from assay.records import Cell, Report, Run, Table

__all__ = ["repeats"]

TITLES = ("run", "builds", "sd of builds", "sd of queries", "p95 ms", "index s")
FIGURES = ("latency_p95_ms", "index_seconds")


def repeats(report: Report) -> Table | None:
    """Lay out the runs that were built more than once; None where none was."""
    primary = str(report.benchmark["primary"])
    runs = [run for run in report.runs if run.repeats]
    if not runs:
        return None
    rows = [_row(run, primary) for run in runs]
    caption = f"Repeated builds: standard deviation of {primary}; times as mean ± sd"
    return Table(TITLES, rows, caption)


def _row(run: Run, primary: str) -> list[Cell]:
    told = _part(_part(run.repeats, "scores"), primary)
    figures = _part(run.repeats, "figures")
    spreads: list[Cell] = [_number(told.get(key)) for key in ("sd_build", "sd_query")]
    times: list[Cell] = [_time(_part(figures, name)) for name in FIGURES]
    return [run.name, run.repeats.get("builds"), *spreads, *times]


def _time(figure: Mapping[str, Any]) -> str:
    mean, spread = _number(figure.get("mean")), _number(figure.get("sd"))
    if mean is None:
        return "-"
    return f"{mean:,.2f}" if spread is None else f"{mean:,.2f} ± {spread:,.2f}"


def _part(told: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = told.get(name)
    return found if isinstance(found, Mapping) else {}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
