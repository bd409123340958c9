"""Runs that were measured -> how each compares with the baseline, and whether to ship it."""

from collections.abc import Sequence

from assay.benchmarks.collections.open_collections import OpenCollections, strata_of
from assay.benchmarks.comparisons.compare_runs import compare_runs
from assay.benchmarks.comparisons.guardrails import broken_errors, parts_of
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.work.worker import untold
from assay.metrics import parse_all
from assay.records import Benchmark, BrokenLimit, Comparisons, Verdict
from assay.verdicts.alone import alone
from assay.verdicts.budgets import broken_budgets, unknown_budgets
from assay.verdicts.cheaper import cheaper

__all__ = ["decide", "not_compared"]

JUDGE_MOST = 10  # documents to judge next that are named


def decide(
    benchmark: Benchmark, collections: OpenCollections, tried: Sequence[RunResult], *, seed: int = 0
) -> Comparisons | None:
    """Compare with the baseline every run that answered; None where there is nothing to compare."""
    measured = [one for one in tried if one.rankings is not None]
    baseline = _baseline(benchmark, measured)
    if baseline is None or len(measured) < 2:
        return None
    ordered = [baseline, *(one for one in measured if one is not baseline)]
    strata = strata_of(collections)
    stopped = [one.stopped for one in tried if one.stopped is not None]
    failed = len(tried) - len(measured) - len(stopped)
    return compare_runs(
        collections.truth.judgments,
        [one.rankings for one in ordered if one.rankings],
        parse_all(benchmark.metrics),
        evaluations=[one.evaluation for one in ordered if one.evaluation],
        ties="order",
        alpha=benchmark.alpha,
        margin=benchmark.margin,
        seed=seed,
        unjudged=benchmark.unjudged,
        judge_most=JUDGE_MOST,
        strata=strata,
        unknown=frozenset[str]().union(*(one.unknown for one in measured)),
        parts=parts_of(collections.dataset.queries, collections.truth.judgments.queries, strata),
        broken=_broken(benchmark, ordered),
        unchecked={one.run.name: unknown_budgets(one.run.budgets) for one in ordered[1:]},
        ship_if=benchmark.ship_if,
        cheaper={one.run.name: cheaper(baseline.run, one.run) for one in ordered[1:]},
        stopped=stopped,
        failed=failed,
    )


def not_compared(benchmark: Benchmark, tried: Sequence[RunResult]) -> dict[str, Verdict]:
    """Decide on the runs that nothing could be compared with, by name."""
    measured = [one for one in tried if one.rankings is not None]
    baseline = _baseline(benchmark, measured)
    named = _baseline(benchmark, tried)
    candidates = [one for one in tried if one is not named]
    if named is None:
        return {}
    if baseline is None:
        return {one.run.name: alone(baseline=benchmark.baseline) for one in candidates}
    return {one.run.name: _alone(one) for one in candidates if one.rankings is None}


def _baseline(benchmark: Benchmark, tried: Sequence[RunResult]) -> RunResult | None:
    named = [one for one in tried if benchmark.baseline in (one.run.name, *one.run.aliases)]
    return named[0] if named else None


def _alone(one: RunResult) -> Verdict:
    """Say why a run is compared with nothing: a race stopped it, or it failed."""
    if one.stopped is not None and one.run.status != "failed":
        return alone(stopped=True)
    problem, hint = untold(one.run.error)
    return alone(error=problem, hint=hint)


def _broken(benchmark: Benchmark, ordered: Sequence[RunResult]) -> dict[str, list[BrokenLimit]]:
    """Say for each candidate which budgets it breaks, and whether more queries fail."""
    baseline, alpha = ordered[0].run, benchmark.alpha
    return {
        one.run.name: [
            *broken_budgets(one.run.budgets),
            *broken_errors(baseline, one.run, alpha=alpha),
        ]
        for one in ordered[1:]
    }
