"""One cell of the synthetic benchmark: planted queries -> what structure is worth there."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from assay.benchmarks.structure.planted import Planted
from assay.benchmarks.structure.sum_up_structure import sum_up_structure
from assay.records import (
    Asked,
    CoherenceSettings,
    Floats,
    Found,
    Ints,
    MmrSettings,
    Stage,
    Structure,
    Structured,
    Vectors,
)
from assay.statistics.percentile import percentile

__all__ = ["run_trial"]

WARM_UP = 3  # queries that are ranked beforehand, so that no first use of anything is timed
Clock = Callable[[], int]


def run_trial(
    planted: Planted,
    *,
    k: int,
    candidates: int,
    settings: CoherenceSettings,
    mmr: MmrSettings,
    seed: int,
    asking: Callable[[Iterable[str]], Iterable[str]] = lambda queries: queries,
    clock: Clock = time.perf_counter_ns,
) -> Structure:
    """Rank every query in every way, time the search as it would run, and sum up.

    ``asking`` passes the queries through, to show how far they are.
    """
    from assay.engines.coherence.study import study

    chosen = replace(mmr, k=k)
    timed = _Timed(planted, candidates, settings, chosen, clock)
    for vector in planted.queries[:WARM_UP]:
        timed.ask(vector)
    studied: dict[str, Structured] = {}
    times: dict[str, list[float]] = {"cosine": [], "coherence": [], "coherence_mmr": []}
    for query, vector in zip(asking(planted.judgments.queries), planted.queries, strict=True):
        found, taken = timed.ask(vector)
        for method, milliseconds in taken.items():
            times[method].append(milliseconds)
        names = [planted.names[row] for row in found.rows.tolist()]
        rows = planted.documents[found.rows]
        studied[query] = study(
            rows,
            vector,
            names=names,
            settings=settings,
            mmr=chosen,
            cosines=found.scores,
            seed=seed,
        ).slim()
    metrics = list(dict.fromkeys([f"ndcg@{k}", f"mrr@{k}", "ndcg@5", f"recall@{k}"]))
    summed = sum_up_structure(
        studied,
        planted.judgments,
        metrics=metrics,
        primary=metrics[0],
        seed=seed,
        latency={method: _figures(each) for method, each in times.items()},
    )
    if summed is None:
        raise AssertionError("every planted query is judged")
    return summed


class _Timed:
    """The search as it would run in use: cosines, then coherence, then diversity."""

    def __init__(
        self,
        planted: Planted,
        candidates: int,
        settings: CoherenceSettings,
        mmr: MmrSettings,
        clock: Clock,
    ) -> None:
        from assay.engines.stages.coherence import coherence
        from assay.engines.stages.diversify import diversify

        def vectors(rows: Ints) -> Vectors:
            return planted.documents[rows].astype(np.float32)

        self._documents, self._most, self._clock = planted.documents, candidates, clock
        self._stages: dict[str, Stage] = {
            "coherence": coherence(vectors, settings=settings),
            "coherence_mmr": diversify(vectors, settings=mmr),
        }

    def ask(self, vector: Floats) -> tuple[Found, Mapping[str, float]]:
        """Return the candidates by cosine, and the milliseconds until each method is done."""
        began = self._clock()
        cosines = self._documents @ vector
        rows = np.argsort(-cosines, kind="stable")[: self._most]
        first = found = Found(rows, cosines[rows], "cosine", best=1.0)
        taken = {"cosine": (self._clock() - began) / 1e6}
        asked = Asked("", vector.astype(np.float32))
        for method, stage in self._stages.items():
            found = stage(asked, [found])
            taken[method] = (self._clock() - began) / 1e6
        return first, taken


def _figures(times: list[float]) -> dict[str, float]:
    values = np.array(times)
    return {"p50": percentile(values, 0.5), "p95": percentile(values, 0.95)}
