"""Pareto: the runs that no other run beats in quality, latency and storage together."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from assay.records import Floats, Report, Run
from assay.records.times import incomparable
from assay.statistics.pareto_front import pareto_front
from assay.text.quote import quote

__all__ = ["pareto"]

SHARES = ("p50", "p95", "p99")
STORAGE = "storage.index_bytes"


def pareto(report: Report, *, seed: int) -> dict[str, Any]:
    """Find the front; quality counts upwards, latency and storage downwards.

    Latency is the percentile that a budget is about, else p50. A run with failed queries saved
    their time: it is left off, and named in ``failed``. An axis that some run has no figure on,
    or that cannot be compared, is left out for all, and ``left_out`` says why. Runs that are equal
    in everything, or but for latencies whose intervals overlap, are on the front together.
    """
    primary = str(report.benchmark.get("primary") or "")
    done = [run for run in report.runs if run.status == "completed" and primary in run.scores]
    runs = [run for run in done if not run.errors]
    if not runs:
        return {}
    part = _percentile(report)
    read = _axes(primary, part)
    left_out = {name: why for name, one in read.items() if (why := _why_not(name, one, runs))}
    kept = [name for name in read if name not in left_out]
    signs = [1.0 if name == "quality" else -1.0 for name in kept]
    table = np.array([[read[name](run) for name in kept] for run in runs], np.float64)
    if "latency" in kept:
        table[:, kept.index("latency")] = _told_latencies(runs, table, kept.index("latency"), part)
    by = pareto_front(table * signs)
    keys = {"quality": primary, "latency": f"latency_ms.{part}", "storage": STORAGE}
    return {
        "axes": {name: keys[name] for name in kept},
        "left_out": left_out,
        "failed": [run.name for run in done if run.errors],
        "front": [run.name for run, beaten in zip(runs, by, strict=True) if beaten is None],
        "dominated": {
            run.name: runs[beaten].name
            for run, beaten in zip(runs, by, strict=True)
            if beaten is not None
        },
        "points": {run.name: {name: one(run) for name, one in read.items()} for run in runs},
    }


def _told_latencies(runs: Sequence[Run], table: Floats, column: int, part: str) -> Floats:
    """Give runs that are equal but for noise in their latency the lowest one of them."""
    others = np.delete(table, column, axis=1)
    found = table[:, column].copy()
    for at, run in enumerate(runs):
        alike = np.flatnonzero((others == others[at]).all(axis=1))
        near = [other for other in alike.tolist() if _overlap(run, runs[other], part)]
        found[at] = min(table[[at, *near], column])
    return found


def _overlap(one: Run, other: Run, part: str) -> bool:
    """Tell whether the intervals of two latencies overlap; open ends bound nothing."""
    (low, high), (low2, high2) = (_ends(run, part) for run in (one, other))
    return low <= high2 and low2 <= high


def _ends(run: Run, part: str) -> tuple[float, float]:
    value = float(run.latency_ms[part])
    low, high = (run.latency_ms.get("intervals") or {}).get(part) or (value, value)
    return -math.inf if low is None else low, math.inf if high is None else high


Axis = Callable[[Run], float | None]


def _percentile(report: Report) -> str:
    budgets = report.benchmark.get("budgets") or {}
    return next((part for part in SHARES if f"latency_{part}_ms" in budgets), SHARES[0])


def _axes(primary: str, part: str) -> Mapping[str, Axis]:
    return {
        "quality": lambda run: run.scores.get(primary),
        "latency": lambda run: run.latency_ms.get(part),
        "storage": lambda run: run.storage.get("index_bytes"),
    }


def _why_not(name: str, read: Axis, runs: Sequence[Run]) -> str:
    """Say why runs cannot be compared on an axis, if so."""
    lacking = [run.name for run in runs if read(run) is None]
    if lacking:
        return "not measured" + ("" if len(lacking) == len(runs) else f" for {quote(lacking[0])}")
    return incomparable(runs) if name == "latency" else ""
