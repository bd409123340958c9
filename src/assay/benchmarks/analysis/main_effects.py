"""Main effects: what each swept parameter is worth, everything else being equal."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from assay.benchmarks.analysis._comparable_runs import ComparableRuns, comparable_runs, ends
from assay.benchmarks.analysis._latencies import Latencies
from assay.benchmarks.analysis._sweeps import (
    ABSENT,
    SettingSweep,
    effective_settings,
    levels_of,
    reference_of,
    sweeps,
)
from assay.records import Floats, Report, Run
from assay.statistics.bootstrap import bootstrap
from assay.statistics.effect import effect
from assay.statistics.holm import holm
from assay.statistics.randomisation import randomisation
from assay.statistics.t_interval import t_interval

__all__ = ["main_effects"]

ALPHA = 0.05
RESAMPLES = 2_000  # for each level: there may be many
FLIPS, PER_ALPHA = 10_000, 2  # the least, and per effect, so that each can be significant
Step = tuple[Any, Any, list[tuple[int, int]]]  # from, to, and the pairs of runs between them
Swept = tuple[SettingSweep, list[Step]]


def main_effects(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Average the differences of matched runs, query by query; the interval is over queries.

    Runs match that are equal in all other settings that take effect. ``p`` is by sign flips, as
    that of a comparison, so that the two agree on a pair of runs. ``p_holm`` is corrected for
    all effects of all parameters, also those of runs that a race stopped. ``levels`` are plain
    means over all runs of a level, which may differ in more. ``with`` of an effect has the values
    of what only one side has, if they are no defaults; ``stopped`` of a parameter has the values
    whose effect is unknown because of a race. Significant parameters come first, then by the size
    of the largest effect.
    """
    found = comparable_runs(report)
    primary = str(report.benchmark.get("primary") or "")
    base = _baseline(report, found.runs)
    lost = _started(report)
    if len(found.runs) < 2:
        return _with_stopped([], lost, found.runs)
    scores = np.array([found.column(run, primary) for run in found.runs])
    times = Latencies(found.runs, seed=seed)
    swept = _swept(found.runs, base)
    p_values = _tested(found, [step for _, steps in swept for step in steps], scores, seed)
    told = [_told(found, one, scores, times, p_values, seed) for one in swept]
    _correct(told, least=sum(len(steps) for _, steps in lost))
    told = _with_stopped(told, lost, found.runs)
    return sorted(told, key=lambda one: (not one["matters"], -_largest(one)))


def _baseline(report: Report, runs: Sequence[Run]) -> int | None:
    named = str(report.benchmark.get("baseline") or "")
    return next((at for at, run in enumerate(runs) if named in (run.name, *run.aliases)), None)


def _swept(runs: Sequence[Run], base: int | None) -> list[Swept]:
    return [
        (one, _steps(one, [value for value, _ in levels_of(one)], reference_of(one, base)))
        for one in sweeps(runs)
    ]


def _started(report: Report) -> list[Swept]:
    """Return the steps that there would be had a race stopped nobody; none if it did not."""
    runs = [run for run in report.runs if run.status in ("completed", "beaten") and run.per_query]
    if all(run.status == "completed" for run in runs):
        return []
    return _swept(runs, _baseline(report, runs))


def _with_stopped(
    told: Sequence[dict[str, Any]],
    started: Sequence[Swept],
    runs: Sequence[Run],
) -> list[dict[str, Any]]:
    """Name the values of which a race stopped the runs that would tell what they change."""
    known = {one["parameter"]: one for one in told}
    left = effective_settings(runs)
    for sweep, steps in started:
        one = known.setdefault(sweep.parameter, _untold(sweep.parameter))
        seen = [value for step in one["effects"] for value in (step["from"], step["to"])]
        ends = [value for before, after, _ in steps for value in (before, after)]
        lost = [value for at, value in enumerate(ends) if value not in [*seen, *ends[:at]]]
        here = [settings.get(sweep.parameter, ABSENT) for settings in left]
        one["stopped"] = [value for value in lost if value not in here] or lost
    return [one for one in known.values() if one["effects"] or one["stopped"]]


def _untold(parameter: str) -> dict[str, Any]:
    return {"parameter": parameter, "levels": [], "effects": [], "latency": [], "matters": False}


def _told(
    found: ComparableRuns,
    swept: Swept,
    scores: Floats,
    times: Latencies,
    p_values: Iterator[float],
    seed: int,
) -> dict[str, Any]:
    sweep, steps = swept
    effects = [_effect(found, step, scores, next(p_values)) | _along(sweep, step) for step in steps]
    return {
        "parameter": sweep.parameter,
        "levels": [_level(found, value, runs, scores, seed) for value, runs in levels_of(sweep)],
        "effects": effects,
        "latency": [one for step in steps if (one := _ratio(step, times))],
        "stopped": [],
    }


def _level(
    found: ComparableRuns, value: object, runs: Sequence[int], scores: Floats, seed: int
) -> dict[str, Any]:
    mean = scores[list(runs)].mean(axis=0)
    return {
        "value": value,
        "runs": len(runs),
        "names": [found.runs[at].name for at in runs],
        "score": effect(mean, **found.counted).difference,
        "ci": ends(bootstrap(mean, seed=seed, **found.counted, resamples=RESAMPLES)),
    }


def _steps(sweep: SettingSweep, order: Sequence[Any], reference: object) -> list[Step]:
    """Go from the reference to each other level, or from the first that has a pair with it."""
    pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    at = [order.index(value) if value in order else -1 for value in sweep.values]
    for a, b in sweep.pairs:
        pairs.setdefault((at[a], at[b]), []).append((a, b))
        pairs.setdefault((at[b], at[a]), []).append((b, a))
    start = order.index(reference)
    steps, reached = [], [start]
    for level in [other for other in range(len(order)) if other != start]:
        origin = next((one for one in reached if (one, level) in pairs), None)
        if origin is not None:
            steps.append((order[origin], order[level], pairs[origin, level]))
        reached.append(level)
    return steps


def _tested(
    found: ComparableRuns, steps: Sequence[Step], scores: Floats, seed: int
) -> Iterator[float]:
    """Return the p-value of each step, all under the same sign flips."""
    if not steps:
        return iter(())
    gains = np.array([_gains(step, scores) for step in steps]).T
    flips = max(FLIPS, math.ceil(PER_ALPHA * len(steps) / ALPHA))
    return iter(randomisation(gains, flips=flips, seed=seed, **found.counted).tolist())


def _gains(step: Step, scores: Floats) -> Floats:
    return np.asarray(np.mean([scores[b] - scores[a] for a, b in step[2]], axis=0))


def _effect(found: ComparableRuns, step: Step, scores: Floats, p: float) -> dict[str, Any]:
    before, after, pairs = step
    gains = _gains(step, scores)
    interval = t_interval(gains, **found.counted)
    return {
        "from": before,
        "to": after,
        "difference": effect(gains, **found.counted).difference,
        "ci": ends(interval),
        "note": interval.note,
        "p": p,
        "pairs": len(pairs),
        "queries": len(gains),
    }


def _along(sweep: SettingSweep, step: Step) -> dict[str, Any]:
    """Name what only one run of a pair has, and somebody chose: it is part of the effect."""
    of_pair = dict(zip(sweep.pairs, sweep.along, strict=True))
    found: dict[str, list[Any]] = {}
    for a, b in step[2]:
        for name, value in (of_pair.get((a, b)) or of_pair.get((b, a)) or {}).items():
            known = found.setdefault(name, [])
            known += [] if value in known else [value]
    return {"with": found}


def _ratio(step: Step, times: Latencies) -> dict[str, Any] | None:
    before, after, pairs = step
    told = times.ratio(pairs)
    return None if told is None else {"from": before, "to": after, **told}


def _correct(told: Sequence[dict[str, Any]], *, least: int) -> None:
    """Correct all p-values together, and mark the significant parameters.

    At ``least`` so many are corrected for; those that are not known are 1.
    """
    every = [one for parameter in told for one in parameter["effects"]]
    p_values = [*(one["p"] for one in every), *[1.0] * (least - len(every))]
    corrected = holm(np.array(p_values)) if every else np.empty(0)
    for one, p in zip(every, corrected.tolist(), strict=False):
        one["p_holm"] = p
    for parameter in told:
        parameter["matters"] = any(one["p_holm"] < ALPHA for one in parameter["effects"])


def _largest(told: Mapping[str, Any]) -> float:
    """Return the size of the largest effect; of those that are shown, where any is."""
    shown = [one for one in told["effects"] if one["p_holm"] < ALPHA] or told["effects"]
    return max((abs(one["difference"]) for one in shown), default=0.0)
