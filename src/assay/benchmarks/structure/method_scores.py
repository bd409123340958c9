"""Every order of every studied query -> scores by method, metric and query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.benchmarks.runs.score_run import score_run
from assay.records import (
    Bools,
    Evaluation,
    Floats,
    Ints,
    Judgments,
    Metric,
    Rankings,
    StructureStudy,
    Uplift,
    encode,
)
from assay.records.traffic import weighted_mean
from assay.statistics.effect import effect
from assay.statistics.randomisation import randomisation
from assay.statistics.t_interval import t_interval

__all__ = ["METHODS", "MethodScores", "uplifted"]

METHODS = (
    "cosine",
    "coherence",
    "coherence_mmr",
    "coherence_open",
    "neighbour_average",
    "shuffled_graph",
)


@dataclass(frozen=True, slots=True)
class MethodScores:
    """The scores of each method, on the queries that are studied and judged.

    ``named`` has the collection of each query, if there are several: each counts the same.
    """

    studied: Mapping[str, StructureStudy]
    queries: tuple[str, ...]
    metrics: Mapping[str, Metric]
    evaluations: Mapping[str, Evaluation]
    seed: int
    named: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        studied: Mapping[str, StructureStudy],
        judgments: Judgments,
        wanted: Sequence[Metric],
        *,
        seed: int,
        top: int | None = None,
        collections: Mapping[str, str] | None = None,
    ) -> "MethodScores":
        """Score the ``top`` of each order that every query has (None: all of it).

        ``collections`` names that of each query, if there are several.
        """
        offered = [n for n in METHODS if all(n in one.orders for one in studied.values())]
        runs = {name: _rankings(name, studied, top) for name in offered}
        evaluations = {
            name: score_run(
                judgments, run, wanted, ties="order", missing="skip", intervals=True, seed=seed
            )
            for name, run in runs.items()
        }
        queries = next(iter(evaluations.values())).queries
        named = [collections[query] for query in queries] if collections else []
        if named:
            evaluations = {name: _macro(one, named, seed) for name, one in evaluations.items()}
        return cls(studied, queries, {str(one): one for one in wanted}, evaluations, seed, named)

    def scores(self, method: str, metric: str) -> Floats:
        """Return the score of each query."""
        return self.evaluations[method].per_query[metric]

    def uplift(
        self, method: str, metric: str, *, over: str = "cosine", keep: Bools | None = None
    ) -> Uplift:
        """Return what a method gains over another, on some of the queries or on all."""
        before, after = self.scores(over, metric), self.scores(method, metric)
        weights, named = self.evaluations[method].weights, np.array(self.named, object)
        if keep is not None:
            before, after = before[keep], after[keep]
            weights = None if weights is None else weights[keep]
            named = named[keep] if len(named) else named
        strata = np.unique(named.astype(str), return_inverse=True)[1] if len(named) else None
        upwards = self.metrics[metric].kind.higher_is_better
        return uplifted(
            before, after, upwards=upwards, seed=self.seed, weights=weights, strata=strata
        )

    def upwards(self, metric: str) -> bool:
        """Whether more is better."""
        return self.metrics[metric].kind.higher_is_better


def _macro(evaluation: Evaluation, named: Sequence[str], seed: int) -> Evaluation:
    """Let each collection count the same."""
    from assay.benchmarks.runs.several_collections import sum_up_collections

    found = sum_up_collections(evaluation.per_query, named, seed=seed, weights=evaluation.weights)
    return replace(evaluation, scores=found.scores, intervals=found.intervals)


def _rankings(name: str, studied: Mapping[str, StructureStudy], top: int | None) -> Rankings:
    """Lay one order of all queries out as a run, each document once."""
    orders = [list(dict.fromkeys(one.orders[name]))[:top] for one in studied.values()]
    sizes = [len(order) for order in orders]
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    places = [np.arange(0, -size, -1, dtype=np.float64) for size in sizes]
    documents = encode(document for order in orders for document in order)
    return Rankings(name, tuple(studied), offsets, documents, np.concatenate(places), "order")


def uplifted(
    baseline: Floats,
    scores: Floats,
    *,
    upwards: bool = True,
    seed: int = 0,
    weights: Floats | None = None,
    strata: Ints | None = None,
) -> Uplift:
    """Compare scores of the same queries; of a metric that should fall, a fall is the gain."""
    gains = scores - baseline if upwards else baseline - scores
    size = effect(gains, strata=strata, weights=weights)
    before = _mean(baseline, strata, weights)
    return Uplift(
        queries=len(gains),
        baseline=before,
        score=_mean(scores, strata, weights),
        difference=size.difference,
        interval=t_interval(gains, strata=strata, weights=weights),
        relative=size.difference / abs(before) if before else None,
        p=float(randomisation(gains, seed=seed, strata=strata, weights=weights)[0])
        if np.any(gains)
        else 1.0,
        wins=size.wins,
        ties=size.ties,
        losses=size.losses,
    )


def _mean(values: Floats, strata: Ints | None, weights: Floats | None) -> float:
    if strata is None:
        return weighted_mean(values, weights)
    return effect(values, strata=strata, weights=weights).difference
