"""Pareto: the runs that no other beats in quality, latency and storage at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from assay.benchmarks.analysis._scored import is_lower_better
from assay.records import Report, Run
from assay.statistics.pareto_front import pareto_front

__all__ = ["pareto"]

LATENCY = "latency_ms.p50"
STORAGE = "storage.index_bytes"


def pareto(report: Report, *, seed: int) -> dict[str, Any]:
    """Find the front; quality counts upwards, latency (p50) and storage downwards.

    An axis that some run has no figure on, or that cannot be compared, is left out for all, and
    ``left_out`` says why. Runs that are equal in everything are on the front together.
    """
    primary = str(report.benchmark.get("primary") or "")
    runs = [run for run in report.runs if run.status == "completed" and primary in run.scores]
    if not runs:
        return {}
    read = _axes(primary)
    left_out = {name: why for name, one in read.items() if (why := _why_not(name, one, runs))}
    kept = [name for name in read if name not in left_out]
    signs = [1.0 if name == "quality" and not is_lower_better(primary) else -1.0 for name in kept]
    table = np.array([[read[name](run) for name in kept] for run in runs], np.float64)
    by = pareto_front(table * signs)
    keys = {"quality": primary, "latency": LATENCY, "storage": STORAGE}
    return {
        "axes": {name: keys[name] for name in kept},
        "left_out": left_out,
        "front": [run.name for run, beaten in zip(runs, by, strict=True) if beaten is None],
        "dominated": {
            run.name: runs[beaten].name
            for run, beaten in zip(runs, by, strict=True)
            if beaten is not None
        },
        "points": {run.name: {name: one(run) for name, one in read.items()} for run in runs},
    }


Axis = Callable[[Run], float | None]


def _axes(primary: str) -> Mapping[str, Axis]:
    return {
        "quality": lambda run: run.scores.get(primary),
        "latency": lambda run: run.latency_ms.get("p50"),
        "storage": lambda run: run.storage.get("index_bytes"),
    }


def _why_not(name: str, read: Axis, runs: Sequence[Run]) -> str:
    """Say why runs cannot be compared on an axis, if so."""
    lacking = [run.name for run in runs if read(run) is None]
    if lacking:
        return "no run has it" if len(lacking) == len(runs) else f"not measured of {lacking[0]}"
    loads = {run.latency_ms.get("concurrency", 1) for run in runs}
    if name == "latency" and len(loads) > 1:
        return "measured with different numbers of queries at once"
    return ""
