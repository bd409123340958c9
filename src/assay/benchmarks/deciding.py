"""Runs that were measured -> how each compares with the baseline, and whether to ship it."""

from collections.abc import Sequence

import numpy as np

from assay.benchmarks.budgets import broken_budgets
from assay.benchmarks.comparing import compare_runs
from assay.benchmarks.guardrails import broken_guardrails
from assay.benchmarks.sites import Sites
from assay.benchmarks.summing import Tried
from assay.metrics import parse_all
from assay.records import Benchmark, Broken, Comparisons, Ints
from assay.verdicts.cheaper import cheaper

__all__ = ["compared", "strata_of"]

JUDGE_MOST = 10  # documents to judge next that are named


def compared(
    benchmark: Benchmark, sites: Sites, tried: Sequence[Tried], *, seed: int = 0
) -> Comparisons | None:
    """Compare with the baseline every run that answered; None where there is nothing to compare."""
    measured = [one for one in tried if one.rankings is not None]
    named = [one for one in measured if benchmark.baseline in (one.run.name, *one.run.aliases)]
    if not named or len(measured) < 2:
        return None
    baseline = named[0]
    ordered = [baseline, *(one for one in measured if one is not baseline)]
    return compare_runs(
        sites.truth.judgments,
        [one.rankings for one in ordered if one.rankings],
        parse_all(benchmark.metrics),
        evaluations=[one.evaluation for one in ordered if one.evaluation],
        ties="order",
        alpha=benchmark.alpha,
        margin=benchmark.margin,
        seed=seed,
        judge_most=JUDGE_MOST,
        strata=strata_of(sites),
        unknown=frozenset[str]().union(*(one.unknown for one in measured)),
        broken={one.run.name: _broken(benchmark, sites, baseline, one) for one in ordered},
        ship_if=benchmark.ship_if,
        cheaper={one.run.name: cheaper(baseline.run, one.run) for one in ordered[1:]},
        stopped=[one.stopped for one in tried if one.stopped is not None],
    )


def strata_of(sites: Sites) -> Ints | None:
    """Number the collection of each judged query; None where there is only one collection."""
    if len(sites.each) == 1:
        return None
    of_query = {query.key: query.collection for query in sites.dataset.queries}
    numbers = {site.name: at for at, site in enumerate(sites.each)}
    strata = [numbers[of_query[query]] for query in sites.truth.judgments.queries]
    return np.array(strata, np.int64)


def _broken(benchmark: Benchmark, sites: Sites, baseline: Tried, candidate: Tried) -> list[Broken]:
    """Say which budgets and guardrails a candidate is shown to break."""
    lost = broken_guardrails(
        baseline,
        candidate,
        dataset=sites.dataset,
        primary=benchmark.primary,
        margin=benchmark.margin,
        alpha=benchmark.alpha,
        strata=strata_of(sites),
    )
    return [*broken_budgets(candidate.run.budgets), *lost]
