"""A check on a metric -> the evidence: paired scores of two runs, or the scores of one."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.gates.groups import group_queries
from assay.benchmarks.gates.trial import Trial
from assay.benchmarks.since.match import shared_queries, strata_of
from assay.benchmarks.since.notes import is_scored
from assay.records import Change, Floats, Run
from assay.records.report import query_weights
from assay.statistics.below_limit import below_limit
from assay.statistics.effect import effect
from assay.statistics.queries_needed import MOST, queries_needed
from assay.statistics.randomisation import randomisation
from assay.verdicts.gate import GATE_ALPHA, CheckEvidence

__all__ = ["more_queries", "score_evidence"]

WORST = 10  # queries that a result names
NOISE = 1e-12  # what rounding alone can do to a score
PER_ALPHA = 40  # sign flips per test, so that p can be far below alpha / tests
FLIPS = 10_000
MOST_FLIPS = 1_000_000
SMALL = 0.02  # a p from which on more flips cannot make it one that fails
Scores = Mapping[str, Mapping[str, float]]


def score_evidence(trial: Trial, *, tests: int) -> CheckEvidence:
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


def _means(trial: Trial, about: CheckEvidence, earlier: Run, metric: str) -> CheckEvidence:
    """Compare means alone: those of whole runs, since a group has none without its queries."""
    if trial.check.group:
        return replace(about, unknown="the scores of each query are needed for a group of queries")
    return replace(about, baseline=earlier.scores[metric], current=trial.run.scores[metric])


def _against_limit(trial: Trial, about: CheckEvidence, metric: str, tests: int) -> CheckEvidence:
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
    # A maximum is a minimum of what is missing to the largest score.
    floor = trial.check.kind == "min"
    given = scores if floor else 1 - scores
    least = limit if floor else 1 - limit
    p = _resolved(
        lambda flips: below_limit(given, limit=least, flips=flips, seed=trial.seed, **counted),
        tests,
    )
    gap = abs(limit - size.difference)
    return replace(
        about,
        current=size.difference,
        p=p,
        queries=len(queries),
        queries_needed=more_queries(gap, size.flip_sd, len(queries), tests),
    )


def _paired(
    trial: Trial, about: CheckEvidence, earlier: Run, metric: str, tests: int
) -> CheckEvidence:
    """Test one-sided whether the scores of the same queries fell."""
    assert trial.baseline is not None  # noqa: S101 - an earlier run comes from somewhere
    reports = (trial.baseline.report, trial.current.report)
    shared = shared_queries(*reports, [(earlier, trial.run)])
    if not shared.queries:
        return replace(about, unknown="no query is in both reports with the same judgments")
    queries = _chosen(trial, shared.queries)
    before, after = (_column(run.per_query, queries, metric) for run in (earlier, trial.run))
    gains = after - before if about.higher_is_better else before - after
    counted = _counted(trial, queries)
    size = effect(gains, **counted)
    how: dict[str, Any] = {"seed": trial.seed, "alternative": "less", **counted}
    p = _resolved(lambda flips: float(randomisation(gains, flips=flips, **how)[0]), tests)
    drop = abs(size.difference)
    return replace(
        about,
        baseline=effect(before, **counted).difference,
        current=effect(after, **counted).difference,
        p=p,
        queries=len(queries),
        queries_needed=more_queries(drop, size.flip_sd, len(queries), tests),
        changes=_worst(queries, before, after, gains),
    )


def _chosen(trial: Trial, queries: Sequence[str]) -> list[str]:
    if trial.check.group is None:
        return list(queries)
    return group_queries(trial.current.report, trial.check.group, queries)


def _column(per_query: Scores, queries: Sequence[str], metric: str) -> Floats:
    return np.array([per_query[query][metric] for query in queries], np.float64)


def _counted(trial: Trial, queries: Sequence[str]) -> dict[str, Any]:
    """Count queries as the current report does: by their weights, each collection the same."""
    report = trial.current.report
    return {
        "strata": strata_of(report, queries),
        "weights": query_weights(report, queries),
    }


def _resolved(test: Callable[[int], float], tests: int) -> float:
    """Test with few sign flips, and with as many as the number of tests asks for if p is small.

    Only the second p can be small enough to fail a gate, so that looking first does no harm.
    """
    p = test(FLIPS)
    flips = min(MOST_FLIPS, math.ceil(PER_ALPHA * tests / GATE_ALPHA))
    return test(flips) if p <= SMALL and flips > FLIPS else p


def _worst(
    queries: Sequence[str], before: Floats, after: Floats, gains: Floats
) -> tuple[Change, ...]:
    """List the queries that lost most, the worst first."""
    order = [at for at in np.argsort(gains, kind="stable").tolist() if gains[at] < -NOISE]
    return tuple(
        Change(queries[at], float(before[at]), float(after[at]), float(after[at] - before[at]))
        for at in order[:WORST]
    )


def more_queries(gap: float, sd: float, queries: int, tests: int) -> int | None:
    """Count the queries that are missing to show a gap four times out of five; None: unknown.

    With N queries the smallest one-sided p of sign flips is 2^-N, times the number of tests.
    """
    if gap <= NOISE or not math.isfinite(sd):
        return None
    fewest = math.ceil(math.log2(tests / GATE_ALPHA))
    # Two-sided at twice the level is one-sided at the level, but for a tail that nobody sees.
    needed = queries_needed(gap, sd=sd, candidates=tests, alpha=2 * GATE_ALPHA) if sd else fewest
    return None if needed >= MOST else max(1, max(needed, fewest) - queries)
