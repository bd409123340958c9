"""A check on a figure of structure, or on an uplift -> the evidence: shares, intervals, gains."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.benchmarks.gates.figures import OVERLAP, UPLIFT, Measure, structure_measure
from assay.benchmarks.gates.more_queries import more_queries, more_trials
from assay.benchmarks.gates.sign_flip_p import sign_flip_p
from assay.benchmarks.gates.trial import GateTrial
from assay.benchmarks.since.match import strata_of
from assay.benchmarks.since.notes import is_scored
from assay.records import Floats, Report, Run
from assay.records.report import query_weights
from assay.statistics.effect import effect
from assay.statistics.fieller import fieller
from assay.statistics.randomisation import randomisation
from assay.verdicts.gate import CheckEvidence

__all__ = ["has_figure", "structure_evidence"]

NO_INTERVAL = "no interval is known"
TAIL = 0.025


def has_figure(report: Report, run: Run, name: str) -> bool:
    """Tell whether a run can have a figure: coherence, or for an uplift a baseline beside it.

    An exact graph has no overlap with itself that could be measured.
    """
    if run.structure is not None:
        return not name.startswith(OVERLAP) or OVERLAP in run.structure.distributions
    return name == UPLIFT and _baseline_of(report, run) is not None


def structure_evidence(trial: GateTrial, *, tests: int) -> CheckEvidence:
    """Look a figure up in both runs; a limit on it is tested, where there is something to test.

    The p is not corrected yet; ``tests`` is how many it will be corrected for.
    """
    about, name = trial.evidence, trial.figure.name
    if about.broken or about.unknown:
        return about
    now = _measure(trial.current.report, trial.run, name)
    if now is None:
        return replace(about, unknown=f"{name} was not measured")
    found = replace(about, current=now.value, interval=now.interval, lacking=NO_INTERVAL)
    if trial.check.kind != "allow":
        return _limited(trial, now, found, tests)
    then = None
    if trial.earlier is not None and trial.baseline is not None:
        then = _measure(trial.baseline.report, trial.earlier, name)
    if then is None:
        return replace(about, unknown=f"the baseline has no {name}")
    return replace(found, baseline=then.value, baseline_interval=then.interval)


def _measure(report: Report, run: Run, name: str) -> Measure | None:
    if name != UPLIFT or run.structure is not None:
        return structure_measure(run, name)
    pair = _scores(report, run)
    if pair is None:
        return _of_means(report, run)
    gains = pair.after - pair.before
    gain, base = (effect(one, **pair.counts).difference for one in (gains, pair.before))
    if not base:
        return None
    return Measure(gain / abs(base), fieller(gains, pair.before, **pair.counts), trials=len(gains))


def _of_means(report: Report, run: Run) -> Measure | None:
    """Return an uplift by the means alone: such a value has no interval and no test."""
    baseline, primary = _baseline_of(report, run), str(report.benchmark.get("primary") or "")
    before = baseline.scores.get(primary) if baseline else None
    after = run.scores.get(primary)
    return Measure((after - before) / abs(before)) if before and after is not None else None


def _baseline_of(report: Report, run: Run) -> Run | None:
    """Return the baseline of the benchmark; None where the run is it, or there is none."""
    name = str(report.benchmark.get("baseline") or "")
    found = next((one for one in report.runs if name in (one.name, *one.aliases)), None)
    return None if found is None or found.name == run.name else found


@dataclass(frozen=True, slots=True, eq=False)
class _ScorePair:
    """Scores of the baseline and of a run, and how queries count: weights and collections."""

    before: Floats
    after: Floats
    counts: dict[str, Any]


def _scores(report: Report, run: Run) -> _ScorePair | None:
    """Return the primary scores of the benchmark's baseline and of a run, query by query."""
    baseline, primary = _baseline_of(report, run), str(report.benchmark.get("primary") or "")
    if baseline is None or not all(is_scored(one, [primary]) for one in (baseline, run)):
        return None
    queries = [query for query in baseline.per_query if query in run.per_query]
    before, after = (
        np.array([one.per_query[query][primary] for query in queries], np.float64)
        for one in (baseline, run)
    )
    counts = {"strata": strata_of(report, queries), "weights": query_weights(report, queries)}
    return _ScorePair(before, after, counts) if queries else None


def _limited(trial: GateTrial, now: Measure, found: CheckEvidence, tests: int) -> CheckEvidence:
    """Test a share by the binomial distribution, an uplift by sign flips or Student's t.

    A redundancy decides as it is; other figures without an interval decide nothing, as anything
    that another tool has averaged.
    """
    test: Callable[[GateTrial, Measure, int], tuple[float | None, int | None]]
    if trial.figure.name.endswith("_rate") and now.trials:
        test = _rate_p
    elif trial.figure.name == UPLIFT and now.trials > 1:
        test = _gain_p if trial.run.structure is None else _t_p
    else:
        ours = "layout" not in trial.current.report.benchmark
        return replace(found, exact=ours and trial.figure.name == "redundancy")
    p, missing = test(trial, now, tests)
    return replace(found, p=p, queries=now.trials, queries_needed=missing)


def _rate_p(trial: GateTrial, now: Measure, tests: int) -> tuple[float | None, int | None]:
    """Test a share; too small a one is too large a share of the others."""
    from scipy.special import bdtrc  # scipy only where a tail is needed

    floor, limit = trial.check.kind == "min", trial.check.amount
    hits, most = (now.trials - now.hits, 1 - limit) if floor else (now.hits, limit)
    p = float(bdtrc(hits - 1, now.trials, most)) if hits else 1.0
    return p, more_trials(hits, now.trials, most, tests)


def _gain_p(trial: GateTrial, _now: Measure, tests: int) -> tuple[float | None, int | None]:
    """Flip the signs of each query's score less the baseline's with the wanted uplift."""
    pair = _scores(trial.current.report, trial.run)
    if pair is None:
        return None, None
    gaps = pair.after - (1 + trial.check.amount) * pair.before
    gaps = gaps if trial.check.kind == "min" else -gaps
    how: dict[str, Any] = {"seed": trial.seed, "alternative": "less", **pair.counts}
    p = sign_flip_p(lambda flips: float(randomisation(gaps, flips=flips, **how)[0]), tests)
    size = effect(gaps, **pair.counts)
    return p, more_queries(-size.difference, size.flip_sd, len(gaps), tests)


def _t_p(trial: GateTrial, now: Measure, tests: int) -> tuple[float | None, int | None]:
    """Test an uplift over cosine, of which a report has the interval but not each query's score.

    The mean of the cosines counts as known: for limits of a few per cent its error is negligible.
    """
    from scipy.special import stdtr, stdtrit  # scipy only where a tail is needed

    if now.interval is None:
        return None, None
    reach = float(stdtrit(now.trials - 1, 1 - TAIL))
    error = (now.interval.high - now.interval.low) / 2 / reach
    gap = now.value - trial.check.amount
    gap = gap if trial.check.kind == "min" else -gap
    missing = more_queries(-gap, error * math.sqrt(now.trials), now.trials, tests)
    return float(stdtr(now.trials - 1, gap / error)), missing
