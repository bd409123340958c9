"""A check on a metric -> the evidence: paired scores of two runs, or the scores of one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.gates.groups import group_queries
from assay.benchmarks.gates.more_queries import NOISE, more_queries
from assay.benchmarks.gates.sign_flip_p import sign_flip_p
from assay.benchmarks.gates.trial import GateTrial
from assay.benchmarks.since.match import SharedQueries, shared_queries, strata_of
from assay.benchmarks.since.notes import is_scored
from assay.records import Change, Floats, Run
from assay.records.report import query_weights
from assay.statistics.effect import effect
from assay.statistics.randomisation import randomisation
from assay.verdicts.gate import CheckEvidence

__all__ = ["score_evidence"]

WORST = 10  # queries that a result names
Scores = Mapping[str, Mapping[str, float]]


def score_evidence(trial: GateTrial, *, tests: int) -> CheckEvidence:
    """Test a metric, where both runs have its score for each query; else compare the means.

    The p is not corrected yet; ``tests`` is how many it will be corrected for.
    """
    about = trial.evidence
    if about.broken or about.unknown:
        return about
    metric = str(trial.figure.metric)
    if metric not in trial.run.scores:
        return replace(about, unknown=f"the report has no {metric}: add it to `metrics`")
    if trial.check.kind != "allow":
        return _against_limit(trial, about, metric, tests)
    earlier = trial.earlier
    if earlier is None or metric not in earlier.scores:
        return replace(about, unknown=f"the baseline has no {metric}")
    if not (is_scored(earlier, [metric]) and is_scored(trial.run, [metric])):
        return _means(trial, about, earlier, metric)
    return _paired(trial, about, earlier, metric, tests)


def _means(trial: GateTrial, about: CheckEvidence, earlier: Run, metric: str) -> CheckEvidence:
    """Compare means alone: those of whole runs, since a group has none without its queries."""
    if trial.check.group:
        return replace(about, unknown="the scores of each query are needed for a group of queries")
    return replace(about, baseline=earlier.scores[metric], current=trial.run.scores[metric])


def _against_limit(
    trial: GateTrial, about: CheckEvidence, metric: str, tests: int
) -> CheckEvidence:
    """Compare the scores of one run with a limit."""
    run, limit = trial.run, trial.check.amount
    if not is_scored(run, [metric]):
        if trial.check.group:
            return replace(
                about, unknown="the scores of each query are needed for a group of queries"
            )
        return replace(about, current=run.scores[metric])
    queries = _chosen(trial, [*run.per_query])
    scores = _column(run.per_query, queries, metric)
    counted = _counted(trial, queries)
    size = effect(scores, **counted)
    gaps = scores - limit if trial.check.kind == "min" else limit - scores
    beyond = abs(limit - size.difference)
    return replace(
        about,
        current=size.difference,
        p=_flipped(trial, gaps, counted, tests),
        queries=len(queries),
        queries_needed=more_queries(beyond, size.flip_sd, len(queries), tests),
    )


def _paired(
    trial: GateTrial, about: CheckEvidence, earlier: Run, metric: str, tests: int
) -> CheckEvidence:
    """Test one-sided whether the scores of the same queries fell."""
    assert trial.baseline is not None  # noqa: S101 - an earlier run comes from somewhere
    reports = (trial.baseline.report, trial.current.report)
    shared = shared_queries(*reports, [(earlier, trial.run)], by_dataset=True)
    if not shared.queries:
        return replace(about, unknown="no query is in both reports with the same judgments")
    queries = _chosen(trial, shared.queries)
    before, after = (_column(run.per_query, queries, metric) for run in (earlier, trial.run))
    gains = after - before if about.higher_is_better else before - after
    counted = _counted(trial, queries)
    size = effect(gains, **counted)
    drop = abs(size.difference)
    return replace(
        about,
        baseline=effect(before, **counted).difference,
        current=effect(after, **counted).difference,
        p=_flipped(trial, gains, counted, tests),
        queries=len(queries),
        queries_needed=more_queries(drop, size.flip_sd, len(queries), tests),
        changes=_worst(queries, before, after, gains),
        **_left_out(trial, earlier, shared, metric, float(after.sum())),
    )


def _left_out(
    trial: GateTrial, earlier: Run, shared: SharedQueries, metric: str, kept: float
) -> dict[str, Any]:
    """Tell what the means would be if every query that cannot be compared had become the worst.

    Queries of a group are known in the current report only, so that a group has no such bound.
    """
    gone = [*shared.only_before, *shared.rejudged]
    if trial.check.group or not gone or trial.figure.metric is None:
        return {}
    low, high = trial.figure.metric.kind.bounds
    worst = low if trial.figure.higher_is_better else high
    every = [*shared.queries, *gone]
    before = _column(earlier.per_query, every, metric)
    after = (kept + worst * len(gone)) / len(every)
    return {"left_out": len(gone), "worst": (float(before.mean()), after)}


def _flipped(trial: GateTrial, gains: Floats, counted: dict[str, Any], tests: int) -> float:
    """Return the one-sided p of "the mean of these is not below 0"."""
    how: dict[str, Any] = {"seed": trial.seed, "alternative": "less", **counted}
    return sign_flip_p(lambda flips: float(randomisation(gains, flips=flips, **how)[0]), tests)


def _chosen(trial: GateTrial, queries: Sequence[str]) -> list[str]:
    if trial.check.group is None:
        return list(queries)
    return group_queries(trial.current.report, trial.check.group, queries)


def _column(per_query: Scores, queries: Sequence[str], metric: str) -> Floats:
    return np.array([per_query[query][metric] for query in queries], np.float64)


def _counted(trial: GateTrial, queries: Sequence[str]) -> dict[str, Any]:
    """Count queries as the current report does: by their weights, each collection the same."""
    report = trial.current.report
    return {
        "strata": strata_of(report, queries),
        "weights": query_weights(report, queries),
    }


def _worst(
    queries: Sequence[str], before: Floats, after: Floats, gains: Floats
) -> tuple[Change, ...]:
    """List the queries that lost most, the worst first."""
    order = [at for at in np.argsort(gains, kind="stable").tolist() if gains[at] < -NOISE]
    return tuple(
        Change(queries[at], float(before[at]), float(after[at]), float(after[at] - before[at]))
        for at in order[:WORST]
    )
