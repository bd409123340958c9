"""A check on a cost -> the evidence: intervals of latencies, counted bytes, times of builds."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.gates.more_queries import more_queries, more_trials
from assay.benchmarks.gates.sign_flip_p import sign_flip_p
from assay.benchmarks.gates.trial import GateTrial
from assay.records import Floats, Interval, Run
from assay.records.busy import is_busy, was_built_busy
from assay.records.costs import COSTS, Cost, cost_of
from assay.records.times import has_given_queries, unlike_loads
from assay.statistics.effect import effect
from assay.statistics.percentile_interval import percentile_interval
from assay.statistics.randomisation import randomisation
from assay.statistics.t_interval import t_interval
from assay.verdicts.gate import CheckEvidence

__all__ = ["cost_evidence", "fewest_times"]

PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
BUSY = "measured on a busy machine"
UNLIKE = "measured on another machine or with other versions"
ONCE = "measured once: `assay run --repeats 3` measures how much builds vary"
OTHERS = "the baseline has other queries"
NO_INTERVAL = "no interval is known"
TAIL = 0.025
UNCOUNTED = ("ConsciousDB", "Exocortex")  # layouts without failed queries


def cost_evidence(trial: GateTrial, *, tests: int) -> CheckEvidence:
    """Look a figure up in both runs, with its intervals; a limit on times is tested.

    The p is not corrected yet; ``tests`` is how many it will be corrected for.
    """
    about = trial.evidence
    if about.broken or about.unknown:
        return about
    cost, name = trial.figure.cost, trial.figure.name
    assert cost is not None  # noqa: S101 - the caller asked for one
    current = None if _is_uncounted(trial, name) else cost_of(trial.run, name)
    if current is None:
        return replace(about, unknown=f"{name} was not measured")
    earlier = cost_of(trial.earlier, name) if trial.earlier else None
    if trial.check.kind == "allow" and earlier is None:
        return replace(about, unknown=f"the baseline has no {name}")
    found = replace(about, current=current, baseline=earlier)
    if cost.by == "exact":
        return replace(found, exact=True)
    if unlike := _unlike(trial, cost):
        return replace(found, unknown=unlike)
    around = "" if trial.strict_env else _warning(trial, cost)
    found = replace(found, warning=_other_queries(trial, cost) or around)
    found = replace(found, lacking=NO_INTERVAL if cost.by == "latency" else ONCE)
    if trial.check.kind == "allow":
        return _with_intervals(trial, cost, found)
    # Figures of a build are measured once: as in a budget they decide as they are.
    return _timed(trial, cost, found, tests) if cost.by == "latency" else replace(found, exact=True)


def _is_uncounted(trial: GateTrial, name: str) -> bool:
    """Tell whether a report is in the layout of a tool that does not count failed queries."""
    return name == "errors" and trial.current.report.benchmark.get("layout") in UNCOUNTED


def _unlike(trial: GateTrial, cost: Cost) -> str:
    """Say why figures must not be compared at all: they mean different things."""
    if trial.check.kind == "allow" and trial.earlier is not None and cost.by == "latency":
        return unlike_loads([trial.earlier, trial.run])
    floor = trial.check.kind == "min" or (trial.check.kind == "allow" and cost.higher_is_better)
    runs = [trial.run, *([trial.earlier] if trial.check.kind == "allow" and trial.earlier else [])]
    whole = all(run.indexing.get("seconds_complete", True) for run in runs)
    partial = cost.by == "build" and not whole
    if partial and (floor or trial.check.kind == "allow"):
        return "cached vectors were used, so that the time is not complete (see --fresh)"
    return ""


def _other_queries(trial: GateTrial, cost: Cost) -> str:
    """Say that times are of other queries than the baseline's: these may be slower by nature."""
    if trial.check.kind != "allow" or trial.earlier is None or cost.by != "latency":
        return ""
    return OTHERS if {*trial.run.per_query} != {*trial.earlier.per_query} else ""


def _warning(trial: GateTrial, cost: Cost) -> str:
    """Say why times must not fail a gate: a busy machine, or another one."""
    runs = [trial.run, *([trial.earlier] if trial.check.kind == "allow" and trial.earlier else [])]
    if cost.by == "latency" and any(is_busy(run.latency_ms) for run in runs):
        return BUSY
    if cost.by == "build" and any(was_built_busy(run.latency_ms, run.indexing) for run in runs):
        return BUSY
    if trial.check.kind == "allow" and not trial.comparable:
        return UNLIKE
    if cost.by == "latency" and trial.check.kind != "allow" and _is_partial(trial.run):
        return "measured without embedding queries, whose vectors were given"
    return ""


def _is_partial(run: Run) -> bool:
    return has_given_queries(run.latency_ms)


def _with_intervals(trial: GateTrial, cost: Cost, found: CheckEvidence) -> CheckEvidence:
    assert trial.earlier is not None  # noqa: S101 - it was looked up before
    now, then = (_interval(run, cost, trial.figure.name) for run in (trial.run, trial.earlier))
    samples = [int(run.latency_ms.get("samples") or 0) for run in (trial.run, trial.earlier)]
    missing = _open_ends(trial.figure.name, samples) if cost.by == "latency" else None
    return replace(found, interval=now, baseline_interval=then, queries_needed=missing)


def _interval(run: Run, cost: Cost, name: str) -> Interval | None:
    if cost.by != "latency":
        return _over_builds(run, name)
    ends = (run.latency_ms.get("intervals") or {}).get(cost.key)
    if not ends:
        return _of_queries(run, cost)
    low, high = ends  # None where there are too few samples for an end
    return Interval(-math.inf if low is None else low, math.inf if high is None else high)


def _of_queries(run: Run, cost: Cost) -> Interval | None:
    """Return the interval of a percentile by the times of queries: other tools give no interval."""
    times, share = _times(run), PERCENTILES.get(cost.key)
    return percentile_interval(times, share) if share is not None and len(times) else None


def _times(run: Run) -> Floats:
    times = (run.latency_ms.get("queries") or {}).values()
    return np.array([one for one in times if isinstance(one, int | float)], np.float64)


def _over_builds(run: Run, name: str) -> Interval | None:
    """Return the interval of the mean over builds, where there are several."""
    figures: Mapping[str, Any] = run.repeats.get("figures") or {}
    values = (figures.get(name) or {}).get("values") or ()
    return t_interval(np.array(values, np.float64)) if len(values) > 1 else None


def fewest_times(name: str) -> int | None:
    """Count the queries with which the interval of a percentile has both ends; None: no percentile.

    >>> fewest_times("latency_p50_ms"), fewest_times("latency_p95_ms"), fewest_times("index_bytes")
    (6, 72, None)
    """
    share = PERCENTILES.get(COSTS[name].key) if name in COSTS else None
    return math.floor(math.log(TAIL) / math.log(max(share, 1 - share))) + 1 if share else None


def _open_ends(name: str, samples: list[int]) -> int | None:
    """Count the queries that an interval of a percentile is missing for its outer end."""
    fewest = fewest_times(name) or 0
    return fewest - min(samples) if min(samples) < fewest else None


def _timed(trial: GateTrial, cost: Cost, found: CheckEvidence, tests: int) -> CheckEvidence:
    """Test whether latencies are beyond a limit, by those of each query."""
    interval = _interval(trial.run, cost, trial.figure.name)
    times = _times(trial.run)
    if not len(times):
        return replace(found, interval=interval)
    p, missing = _tested(times, cost, trial, tests)
    return replace(found, interval=interval, p=p, queries=len(times), queries_needed=missing)


def _tested(times: Floats, cost: Cost, trial: GateTrial, tests: int) -> tuple[float, int | None]:
    """Return the one-sided p of "not beyond the limit", and how many queries are missing.

    How many times are above a percentile is binomial; the mean is tested by sign flips.
    """
    from scipy.special import bdtrc  # scipy only where a tail is needed

    limit, upwards = trial.check.amount, trial.check.kind == "max"
    share = PERCENTILES.get(cost.key)
    if share is None:
        gaps = limit - times if upwards else times - limit
        size = effect(gaps)
        missing = more_queries(-size.difference, size.sd, len(times), tests)
        how: dict[str, Any] = {"seed": trial.seed, "alternative": "less"}
        p = sign_flip_p(lambda flips: float(randomisation(gaps, flips=flips, **how)[0]), tests)
        return p, missing
    count, rare = len(times), 1 - share if upwards else share
    beyond = int((times > limit).sum() if upwards else (times < limit).sum())
    p = float(bdtrc(beyond - 1, count, rare)) if beyond else 1.0
    return p, more_trials(beyond, count, rare, tests)
