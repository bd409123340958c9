"""Latency across: how latency and quality go with depth, k and every other number that is swept."""

from collections.abc import Sequence
from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.benchmarks.analysis._sweeps import (
    ABSENT,
    SettingSweep,
    effective_settings,
    is_number,
    sweeps,
)
from assay.records import Report, Run

__all__ = ["latency_across"]

FIRST = ("depth", "top_k", "rerank_depth")  # how far a search looks


def latency_across(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Lay out each group of timed runs that differ in one number alone, along that number.

    ``group`` has what such runs have in common of the settings that other runs differ in.
    """
    runs = [run for run in comparable_runs(report).runs if "p50" in run.latency_ms]
    primary = str(report.benchmark.get("primary") or "")
    found = [one for one in sweeps(runs) if _is_numeric(one)]
    found.sort(key=lambda one: FIRST.index(one.parameter) if one.parameter in FIRST else 9)
    names = _varying(runs)
    return [
        {
            "parameter": sweep.parameter,
            "group": _in_common([runs[at] for at in group], names),
            "points": [_point(sweep.values[at], runs[at], primary) for at in group],
        }
        for sweep in found
        for group in _groups(sweep)
    ]


def _is_numeric(sweep: SettingSweep) -> bool:
    known = [value for value in sweep.values if value is not ABSENT]
    return sum(map(is_number, known)) > 1


def _groups(sweep: SettingSweep) -> list[list[int]]:
    """Put runs together that are paired with each other, by value."""
    found: dict[int, list[int]] = {}
    for a, b in sweep.pairs:
        if not (is_number(sweep.values[a]) and is_number(sweep.values[b])):
            continue
        together = list(dict.fromkeys([*found.get(a, [a]), *found.get(b, [b])]))
        found |= dict.fromkeys(together, together)
    each = {id(group): group for group in found.values()}.values()
    return [sorted(group, key=lambda at: float(sweep.values[at])) for group in each]


def _varying(runs: Sequence[Run]) -> list[str]:
    told = effective_settings(runs)
    names = dict.fromkeys(name for one in told for name in one)
    return [name for name in names if len({repr(one.get(name)) for one in told}) > 1]


def _in_common(runs: Sequence[Run], names: Sequence[str]) -> dict[str, Any]:
    told = effective_settings(runs)
    return {
        name: told[0][name]
        for name in names
        if name in told[0] and all(repr(one.get(name)) == repr(told[0][name]) for one in told)
    }


def _point(value: object, run: Run, primary: str) -> dict[str, Any]:
    times = {name: run.latency_ms.get(name) for name in ("p50", "p95")}
    return {"value": value, "run": run.name, **times, "score": run.scores.get(primary)}
