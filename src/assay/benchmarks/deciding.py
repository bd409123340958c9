"""Runs that were measured -> how each compares with the baseline, and whether to ship it."""

from collections.abc import Iterator, Sequence

import numpy as np

from assay.benchmarks._runs_alike import first_alike
from assay.benchmarks.budgets import broken_budgets, unknown_budgets
from assay.benchmarks.comparing import compare_runs
from assay.benchmarks.guardrails import broken_categories, broken_errors, losses, parts_of
from assay.benchmarks.sites import Sites
from assay.benchmarks.summing import Tried
from assay.benchmarks.work import untold
from assay.metrics import parse_all
from assay.records import Benchmark, Broken, Comparisons, Ints, Verdict
from assay.records.quoted import quoted
from assay.verdicts.cheaper import cheaper

__all__ = ["compared", "strata_of", "uncompared"]

JUDGE_MOST = 10  # documents to judge next that are named


def compared(
    benchmark: Benchmark, sites: Sites, tried: Sequence[Tried], *, seed: int = 0
) -> Comparisons | None:
    """Compare with the baseline every run that answered; None where there is nothing to compare."""
    measured = [one for one in tried if one.rankings is not None]
    baseline = _baseline(benchmark, measured)
    if baseline is None or len(measured) < 2:
        return None
    ordered = [baseline, *(one for one in measured if one is not baseline)]
    stopped = [one.stopped for one in tried if one.stopped is not None]
    failed = len(tried) - len(measured) - len(stopped)
    return compare_runs(
        sites.truth.judgments,
        [one.rankings for one in ordered if one.rankings],
        parse_all(benchmark.metrics),
        evaluations=[one.evaluation for one in ordered if one.evaluation],
        ties="order",
        alpha=benchmark.alpha,
        margin=benchmark.margin,
        seed=seed,
        unjudged=benchmark.unjudged,
        judge_most=JUDGE_MOST,
        strata=strata_of(sites),
        unknown=frozenset[str]().union(*(one.unknown for one in measured)),
        broken=_broken(benchmark, sites, ordered, further=len(stopped) + failed),
        unchecked={one.run.name: unknown_budgets(one.run.budgets) for one in ordered[1:]},
        ship_if=benchmark.ship_if,
        cheaper={one.run.name: cheaper(baseline.run, one.run) for one in ordered[1:]},
        stopped=stopped,
        failed=failed,
    )


def uncompared(benchmark: Benchmark, tried: Sequence[Tried]) -> dict[str, Verdict]:
    """Decide on the runs that nothing could be compared with, by name."""
    measured = [one for one in tried if one.rankings is not None]
    baseline = _baseline(benchmark, measured)
    named = _baseline(benchmark, tried)
    candidates = [one for one in tried if one is not named]
    if named is None:
        return {}
    if baseline is None:
        reason = f"The baseline {quoted(benchmark.baseline)} failed, so nothing is compared."
        change = "A baseline that is measured."
        verdict = Verdict("hold", reason, change=change, rule="no_baseline")
        return {one.run.name: verdict for one in candidates}
    return {one.run.name: _alone(one) for one in candidates if one.rankings is None}


def _baseline(benchmark: Benchmark, tried: Sequence[Tried]) -> Tried | None:
    named = [one for one in tried if benchmark.baseline in (one.run.name, *one.run.aliases)]
    return named[0] if named else None


def _alone(one: Tried) -> Verdict:
    """Say why a run is compared with nothing: a race stopped it, or it failed."""
    if one.stopped is not None and one.run.status != "failed":
        reason = "The race stopped it after a part of the queries: it was beaten, and not compared."
        return Verdict("hold", reason, change="A run without the race.", rule="raced")
    problem, hint = untold(one.run.error)
    reason = f"It failed: {problem.rstrip('.') or 'every query failed'}."
    return Verdict("dont_ship", reason, change=hint or "A run that completes.", rule="failed")


def strata_of(sites: Sites) -> Ints | None:
    """Number the collection of each judged query; None where there is only one collection."""
    if len(sites.each) == 1:
        return None
    of_query = {query.key: query.collection for query in sites.dataset.queries}
    numbers = {site.name: at for at, site in enumerate(sites.each)}
    strata = [numbers[of_query[query]] for query in sites.truth.judgments.queries]
    return np.array(strata, np.int64)


def _broken(
    benchmark: Benchmark, sites: Sites, ordered: Sequence[Tried], *, further: int
) -> dict[str, list[Broken]]:
    """Say for each candidate which budgets and guardrails it is shown to break."""
    baseline, alpha = ordered[0].run, benchmark.alpha
    lost = dict(_lost(benchmark, sites, ordered, further=further, alpha=alpha))
    return {
        one.run.name: [
            *broken_budgets(one.run.budgets),
            *lost.get(one.run.name, ()),
            *broken_errors(baseline, one.run, alpha=alpha),
        ]
        for one in ordered[1:]
    }


def _lost(
    benchmark: Benchmark, sites: Sites, ordered: Sequence[Tried], *, further: int, alpha: float
) -> Iterator[tuple[str, list[Broken]]]:
    """Test the categories of each distinct candidate; those with its rankings lose the same."""
    scored = [one.evaluation for one in ordered if one.evaluation]
    strata, primary = strata_of(sites), benchmark.primary
    parts = parts_of(sites.dataset, scored[0].queries, strata)
    base = scored[0].per_query[primary]
    firsts = first_alike([one.rankings for one in ordered if one.rankings])
    found = {
        one.run: losses(base, one.per_query[primary], parts, margin=benchmark.margin, strata=strata)
        for at, one in enumerate(scored)
        if at and firsts[at] == at
    }
    broken = broken_categories(found, alpha=alpha, further=further)
    for at, one in enumerate(scored):
        yield one.run, broken.get(scored[firsts[at]].run, [])
