"""How much work a benchmark is, and how much of it is shared."""

from collections.abc import Sequence
from typing import Any

from assay.benchmarks.work.execute import Execution, Trial
from assay.records import Benchmark

__all__ = ["count_work"]


def count_work(
    benchmark: Benchmark, work: Execution, blocks: Sequence[Execution] = ()
) -> dict[str, Any]:
    """Count cells, runs, indexes, stages and searches; ``alone`` counts what nothing shared costs.

    A search is one query asked once of one stage, or of a whole search. In a race all runs take
    part in the first of the ``blocks``, and who is left is asked the queries that are in none;
    what is built again races no more, and is asked all of them.
    """
    counts = _counted(benchmark, work, work.trials)
    if not blocks:
        return counts
    each = [_counted(benchmark, block, block.trials) for block in blocks]
    raced = _counted(benchmark, work, [trial for trial in work.trials if not trial.number])
    asked = sum(len(collection.queries) for block in blocks for collection in block.collections)
    left = 1 - asked / max(1, sum(len(collection.queries) for collection in work.collections))
    summed = {
        name: sum(one[name] for one in each)
        + round(left * raced[name])
        + (counts[name] - raced[name])
        for name in ("searches", "searches_alone")
    }
    return {**each[0], **summed}


def _counted(benchmark: Benchmark, work: Execution, trials: Sequence[Trial]) -> dict[str, Any]:
    builds = {trial.build for trial in trials if trial.build}
    asks = work.settings.asks
    each = [(trial, len(trial.collection.queries) * asks) for trial in trials]
    whole = {trial.search: count for trial, count in each if trial.search}
    stages = {node.key: count for trial, count in each if trial.route for node in trial.route.nodes}
    routes = sum(count * len(trial.route.nodes) for trial, count in each if trial.route)
    return {
        "cells": benchmark.cells or len(benchmark.configurations),
        "runs": len(work.runs),
        "indexes": len(builds),
        "stages": len(stages) + len(whole),
        "searches": sum(stages.values()) + sum(whole.values()),
        "searches_alone": routes + sum(count for trial, count in each if trial.search),
    }
