"""A check on a figure of structure, or on an uplift -> the evidence: shares, intervals, gains."""

from dataclasses import replace

import numpy as np

from assay.benchmarks.gates.figures import UPLIFT, Measure, structure_measure
from assay.benchmarks.gates.trial import Trial
from assay.benchmarks.since.notes import is_scored
from assay.records import Floats, Report, Run
from assay.statistics.fieller import fieller
from assay.statistics.randomisation import randomisation
from assay.verdicts.gate import CheckEvidence

__all__ = ["has_figure", "structure_evidence"]

NO_INTERVAL = "no interval is known"
OVERLAP = "edge_overlap"
TAIL = 0.025


def has_figure(report: Report, run: Run, name: str) -> bool:
    """Tell whether a run can have a figure: coherence, or for an uplift a baseline beside it.

    An exact graph has no overlap with itself that could be measured.
    """
    if run.structure is not None:
        return not name.startswith(OVERLAP) or OVERLAP in run.structure.distributions
    return name == UPLIFT and _baseline_of(report, run) is not None


def structure_evidence(trial: Trial) -> CheckEvidence:
    """Look a figure up in both runs; a limit on it is tested, where there is something to test."""
    about, name = trial.evidence, trial.figure.name
    if about.broken or about.unknown:
        return about
    now = _measure(trial.current.report, trial.run, name)
    if now is None:
        return replace(about, unknown=f"{name} was not measured")
    found = replace(about, current=now.value, interval=now.interval, lacking=NO_INTERVAL)
    if trial.check.kind != "allow":
        return _limited(trial, now, found)
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
    if pair is None or not pair[0].mean():
        return None
    gains, base = pair[1] - pair[0], abs(pair[0].mean())
    value = float(gains.mean() / base)
    return Measure(value, fieller(gains, pair[0]), trials=len(gains))


def _baseline_of(report: Report, run: Run) -> Run | None:
    """Return the baseline of the benchmark; None where the run is it, or there is none."""
    name = str(report.benchmark.get("baseline") or "")
    found = next((one for one in report.runs if name in (one.name, *one.aliases)), None)
    return None if found is None or found.name == run.name else found


def _scores(report: Report, run: Run) -> tuple[Floats, Floats] | None:
    """Return the primary scores of the benchmark's baseline and of a run, query by query."""
    baseline, primary = _baseline_of(report, run), str(report.benchmark.get("primary") or "")
    if baseline is None or not all(is_scored(one, [primary]) for one in (baseline, run)):
        return None
    queries = [query for query in baseline.per_query if query in run.per_query]
    before, after = (
        np.array([one.per_query[query][primary] for query in queries], np.float64)
        for one in (baseline, run)
    )
    return (before, after) if queries else None


def _limited(trial: Trial, now: Measure, found: CheckEvidence) -> CheckEvidence:
    """Test a share by the binomial distribution, an uplift by sign flips or Student's t.

    What has no interval either, as the redundancy, decides as it is.
    """
    if trial.figure.name.endswith("_rate") and now.trials:
        return replace(found, p=_rate_p(trial, now), queries=now.trials)
    if trial.figure.name == UPLIFT and now.trials > 1:
        p = _gain_p(trial) if trial.run.structure is None else _t_p(trial, now)
        return replace(found, p=p, queries=now.trials)
    return found if now.interval is not None else replace(found, exact=True)


def _rate_p(trial: Trial, now: Measure) -> float:
    from scipy.special import bdtr  # scipy only where a tail is needed

    limit = trial.check.amount
    if trial.check.kind == "min":
        return float(bdtr(now.hits, now.trials, limit))
    return 1 - float(bdtr(now.hits - 1, now.trials, limit)) if now.hits else 1.0


def _gain_p(trial: Trial) -> float | None:
    """Flip the signs of each query's score less the baseline's with the wanted uplift."""
    pair = _scores(trial.current.report, trial.run)
    if pair is None:
        return None
    gaps = pair[1] - (1 + trial.check.amount) * pair[0]
    gaps = gaps if trial.check.kind == "min" else -gaps
    return float(randomisation(gaps, seed=trial.seed, alternative="less")[0])


def _t_p(trial: Trial, now: Measure) -> float | None:
    """Test an uplift over cosine, of which a report has the interval but not each query's score.

    The mean of the cosines counts as known: for limits of a few per cent its error is negligible.
    """
    from scipy.special import stdtr, stdtrit  # scipy only where a tail is needed

    if now.interval is None:
        return None
    reach = float(stdtrit(now.trials - 1, 1 - TAIL))
    error = (now.interval.high - now.interval.low) / 2 / reach
    t = (now.value - trial.check.amount) / error
    return float(stdtr(now.trials - 1, t if trial.check.kind == "min" else -t))
