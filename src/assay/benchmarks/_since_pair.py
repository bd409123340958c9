"""Two runs of two reports on the same queries -> the statistics of their difference."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.benchmarks.pairing import Pairing
from assay.metrics import parse_all
from assay.metrics.between.overlap import overlap
from assay.records import Comparison, Evaluation, Ints, Rankings, Run, encode
from assay.statistics.smallest_detectable import smallest_detectable

__all__ = ["Pair", "Rules", "agreement", "comparison", "evaluation", "paired", "settings"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides: as the caller says, else as the benchmark of the later report does."""

    alpha: float
    margin: float
    flips: int
    seed: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs on the same queries."""

    before: Run
    after: Run
    pairing: Pairing


def paired(
    before: Run,
    after: Run,
    metrics: Sequence[str],
    queries: tuple[str, ...],
    strata: Ints | None,
    rules: Rules,
) -> Pair:
    """Line the scores of both up."""
    pairing = Pairing.of(
        [evaluation(run, metrics, queries) for run in (before, after)],
        parse_all(list(metrics)),
        keep=np.arange(len(queries)),
        strata=strata,
        correction="none",
        alpha=rules.alpha,
        flips=rules.flips,
        seed=rules.seed,
    )
    return Pair(before, after, pairing)


def evaluation(run: Run, metrics: Sequence[str], queries: tuple[str, ...]) -> Evaluation:
    """Return the scores of some queries."""
    columns = {
        name: np.array([run.per_query[query][name] for query in queries], np.float64)
        for name in metrics
    }
    return Evaluation(run.name, queries, dict(run.scores), columns)


def comparison(pair: Pair, column: int, corrected: float, count: int) -> Comparison:
    """Compare on one metric, with a p that is ``corrected`` for ``count`` pairs."""
    judged = (pair.before.judged_at_10, pair.after.judged_at_10)
    found = pair.pairing.comparison(0, column, holes=None, unbounded=judged != (1.0, 1.0))
    least = smallest_detectable(
        sd=found.sd, queries=found.queries, candidates=count, alpha=pair.pairing.alpha
    )
    return replace(found, p_corrected=corrected, smallest_detectable=least)


def agreement(pair: Pair) -> dict[str, float]:
    """Tell how alike the two answer, where the first documents are known."""
    k = pair.pairing.metrics[0].k or 10
    if not (pair.before.rankings and pair.after.rankings):
        return {}
    runs = [_rankings(run) for run in (pair.before, pair.after)]
    alike = overlap(runs[0], runs[1], k, queries=pair.pairing.queries)
    return {f"overlap@{k}": pair.pairing.mean(alike)}


def _rankings(run: Run) -> Rankings:
    sizes = [len(documents) for documents in run.rankings.values()]
    offsets: Ints = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    documents = encode(one for documents in run.rankings.values() for one in documents)
    scores = np.concatenate([np.empty(0), *(np.arange(size, 0, -1.0) for size in sizes)])
    return Rankings(run.name, tuple(run.rankings), offsets, documents, scores, "order")


def settings(pair: Pair) -> dict[str, tuple[Any, Any]]:
    """Tell what each setting was and is, where that differs."""
    old, new = pair.before.configuration, pair.after.configuration
    names = dict.fromkeys((*old, *new))
    return {
        name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    }
