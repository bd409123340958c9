"""Time to answer: how many results are opened, and tokens read, up to the first relevant one."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.benchmarks.analysis._comparable_runs import ends
from assay.records import Report, Run
from assay.statistics.bootstrap import bootstrap

__all__ = ["time_to_answer"]

SHARES = {"p50": 0.5, "p95": 0.95}
Reading = Mapping[str, Mapping[str, int | None]]


def time_to_answer(report: Report, *, seed: int) -> dict[str, Any]:
    """Sum up the reading of each run.

    Means are over the queries that are answered at all. Percentiles are over all queries, an
    answer that is never found being later than any other: None where they fall there. ``shared``
    are the means over the queries that every run answers, so that runs can be put beside each
    other: whoever answers only what is easy is not the quicker for it.
    """
    runs = [run for run in report.runs if run.status == "completed" and run.reading]
    shared = _answered_by_all(runs)
    return {run.name: _told(run.reading, shared, seed) for run in runs}


def _told(reading: Reading, shared: Sequence[str], seed: int) -> dict[str, Any]:
    opened = [one["opened"] for one in reading.values()]
    found = [count for count in opened if count is not None]
    tokens = [one.get("tokens") for one in reading.values() if one["opened"] is not None]
    known = bool(tokens) and all(count is not None for count in tokens)
    counts = np.array(found, np.float64)
    return {
        "answered": len(found) / len(opened),
        "queries": len(opened),
        "opened": _figures(opened),
        "tokens": _figures([one.get("tokens") for one in reading.values()]) if known else None,
        "ci": ends(bootstrap(counts, seed=seed)) if found else None,
        "shared": _shared(reading, shared, tokens=known),
    }


def _figures(counts: Sequence[int | None]) -> dict[str, float | None]:
    known = sorted(count for count in counts if count is not None)
    mean = sum(known) / len(known) if known else None
    return {"mean": mean} | {n: _percentile(known, len(counts), at) for n, at in SHARES.items()}


def _percentile(known: Sequence[int], total: int, share: float) -> float | None:
    """Interpolate as Hyndman and Fan's definition 7 does; what is not known comes last."""
    place = (total - 1) * share
    below, above = math.floor(place), math.ceil(place)
    if above >= len(known):
        return None
    return known[below] + (place - below) * (known[above] - known[below])


def _answered_by_all(runs: Sequence[Run]) -> list[str]:
    first = runs[0].reading if runs else {}
    return [key for key in first if all(_opened(run.reading.get(key)) is not None for run in runs)]


def _opened(one: Mapping[str, int | None] | None) -> int | None:
    return one["opened"] if one else None


def _shared(reading: Reading, shared: Sequence[str], *, tokens: bool) -> dict[str, Any]:
    """Average over the queries that all runs answer."""
    told: dict[str, Any] = {"queries": len(shared)}
    for name in ("opened", "tokens") if tokens else ("opened",):
        counts = [reading[key][name] or 0 for key in shared]
        told[name] = sum(counts) / len(counts) if counts else None
    return told
