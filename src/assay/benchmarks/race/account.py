"""The account of a race: its bound, which runs were stopped and when, and what that saved."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.collections.truth import Truth
from assay.benchmarks.race.order import Order
from assay.benchmarks.runs.measure import Measurements, RunFacts
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.runs.several_collections import join_measurements, joined_measured
from assay.benchmarks.runs.sum_up import sum_up
from assay.records import Benchmark, Configuration, Dataset, RaceStanding
from assay.records.traffic import weighted_mean

__all__ = ["keyed", "race_account", "sum_up_beaten"]

FEW = 5  # queries, of which none can be spared
METHOD = (
    "betting against being the best, on queries drawn without replacement "
    "(Waudby-Smith and Ramdas 2020, 2024); stopped at an e-value of 1 / alpha (Ville 1939)"
)


def race_account(
    raced: RaceStanding | None,
    scores: Mapping[str, Sequence[float]],
    *,
    asked: Mapping[str, int],
    order: Order,
    benchmark: Benchmark,
    queries: int,
    fellows: Mapping[str, str],
    seed: int,
) -> dict[str, Any]:
    """Describe a race. A search is one query of one configuration, however often it is repeated.

    ``asked`` has who took part, and after how many queries each was stopped, 0 if it was not.
    """
    stopped = {name: after for name, after in asked.items() if after}
    full = queries * len(asked)
    searches = sum(after or queries for after in asked.values())
    saved = 1 - searches / full if full else 0.0
    beaten = [
        _beaten(name, raced, scores, order, fellows.get(name, name))
        for name in sorted(stopped, key=lambda name: stopped[name])
        if raced is not None
    ]
    return {
        "alpha": float(benchmark.race["alpha"]),
        "metric": benchmark.primary,
        "method": METHOD,
        "order_seed": seed,
        "queries": len(order.queries),
        "searches": searches,
        "searches_full": full,
        "saved": saved,
        "survivors": [name for name, after in asked.items() if not after],
        "beaten": beaten,
        "statement": _statement(benchmark, order, len(asked), len(beaten), saved),
    }


def _beaten(
    name: str,
    raced: RaceStanding,
    scores: Mapping[str, Sequence[float]],
    order: Order,
    column: str,
) -> dict[str, Any]:
    """Tell of one; an e-value that is infinite (it cannot catch up) is None."""
    names = [*scores]
    at = names.index(column)
    after, leader = int(raced.after[at]), names[int(raced.by[at])]
    e_value = float(raced.e_values[at])
    return {
        "run": name,
        "after": after,
        "by": leader,
        "e_value": e_value if math.isfinite(e_value) else None,
        "score": _mean(scores[column][:after], order),
        "leader_score": _mean(scores[leader][:after], order),
    }


def _mean(scores: Sequence[float], order: Order) -> float:
    """Average the first queries as a report does: by weights, each collection the same."""
    first, groups = np.array(scores), order.groups[: len(scores)]
    weights = None if order.traffic is None else order.traffic[: len(scores)]
    own = [groups == one for one in np.unique(groups)]
    within = [None if weights is None else weights[one] for one in own]
    means = [weighted_mean(first[one], of) for one, of in zip(own, within, strict=True)]
    return float(np.mean(means))


def _statement(benchmark: Benchmark, order: Order, runs: int, beaten: int, saved: float) -> str:
    """Say what is guaranteed, and what is not."""
    alpha, queries = float(benchmark.race["alpha"]), len(order.queries)
    if not order.ends:
        return _unraced(queries, order.first)
    if not beaten:
        return f"race: no configuration was stopped before all {queries:,} queries were run"
    were = "was" if beaten == 1 else "were"
    return (
        f"race: {beaten} of {runs} configurations {were} stopped early, which saved {saved:.0%} of "
        f"the searches (a search is one query of one configuration). The probability that the best "
        f"configuration by {benchmark.primary} over all {queries:,} queries was stopped is at most "
        f"{alpha:.3g}, for a random order of the queries and any number of interim tests"
    )


def _unraced(queries: int, first: int) -> str:
    """Say that nothing was tested before the end, and how to test earlier."""
    sooner = max(1, queries // 3)
    hint = f"; `race: {{first: {sooner}}}` tests earlier" if queries > FEW else ""
    return (
        f"race: no configuration could be stopped, since the first test is after {first:,} "
        f"queries and there are {queries:,}{hint}"
    )


def sum_up_beaten(
    chosen: Configuration,
    done: RunFacts,
    each: Sequence[Measurements],
    *,
    benchmark: Benchmark,
    collections: OpenCollections,
    asked: Collection[str],
    seed: int,
) -> RunResult:
    """Score what was ``asked`` of a run in each block; it is not compared any further.

    One that has failed until then scores 0: it might have gone on to answer, as any other.
    """
    dataset, truth = _asked_only(collections.dataset, collections.truth, asked)
    measured = join_measurements(each)
    tried = sum_up(
        chosen, done, measured, benchmark=benchmark, dataset=dataset, truth=truth, seed=seed
    )
    if tried.run.status == "failed":
        return replace(tried, stopped=dict.fromkeys(sorted(asked), 0.0))
    rows = tried.run.per_query.items()
    scored = {key: row[benchmark.primary] for key, row in rows if benchmark.primary in row}
    return RunResult(replace(tried.run, status="beaten"), stopped=scored)


def keyed(
    collections: OpenCollections, block: Sequence[OpenCollection], measured: Measurements
) -> Measurements:
    """Name queries as they are named among those of all datasets."""
    alone = len(block) == 1 and len(collections.each) > 1
    return joined_measured(block, [measured]) if alone else measured


def _asked_only(dataset: Dataset, truth: Truth, asked: Collection[str]) -> tuple[Dataset, Truth]:
    queries = tuple(query for query in dataset.queries if query.key in asked)
    fewer = replace(
        truth,
        judgments=truth.judgments.only(asked),
        resolved=None if truth.resolved is None else truth.resolved.only(asked),
        leaked=tuple(key for key in truth.leaked if key in asked),
    )
    return replace(dataset, queries=queries), fewer
