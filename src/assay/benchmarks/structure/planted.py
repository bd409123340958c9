"""Planted collections: clusters of vectors, and queries whose true direction is known.

The synthetic benchmark of ConsciousDB, put right: there relevance followed from the very vector
that was searched with, so that nothing could beat cosine, and unrelated vectors were scored.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from assay.benchmarks.structure.sum_up_structure import sum_up_structure
from assay.records import (
    CoherenceSettings,
    Floats,
    FoundRows,
    Ints,
    Judgments,
    MmrSettings,
    SearchInput,
    Stage,
    Structure,
    StructureStudy,
    Vectors,
    encode,
)
from assay.records.clock import Clock
from assay.statistics.percentile import percentile

__all__ = ["PlantedClusters", "plant", "run_trial"]

WARM_UP = 3  # queries that are ranked beforehand, so that no first use of anything is timed


@dataclass(frozen=True, slots=True, eq=False)
class PlantedClusters:
    """Unit vectors of documents (with the cluster of each) and of queries, and what is relevant.

    ``truths`` are the directions that were meant, ``queries`` those that are searched with.
    """

    documents: Floats
    clusters: Ints
    truths: Floats
    queries: Floats
    names: tuple[str, ...]
    judgments: Judgments


def plant(
    *,
    noise: float,
    spread: float,
    documents: int = 500,
    queries: int = 200,
    dimension: int = 64,
    clusters: int = 100,
    relevant: int | None = 3,
    seed: int = 0,
) -> PlantedClusters:
    """Plant documents around the centres of clusters, and ask for points among them.

    ``spread`` is how far documents lie from their centre, ``noise`` how far a query lies from what
    it means, both as a share of a vector's length. Relevant are the ``relevant`` documents nearest
    to what is meant, or all of its cluster (None). Noise moves queries and nothing else: the same
    seed has the same documents and judgments at every noise.
    """
    draw = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    centres = _unit(draw.normal(size=(clusters, dimension)))
    member = np.sort(np.arange(documents) % clusters)
    vectors = _around(centres[member], spread, draw)
    meant = draw.integers(clusters, size=queries)
    truths = _around(centres[meant], spread, draw)
    asked = _around(truths, noise, draw)
    names = tuple(f"d{at:0{len(str(documents - 1))}}" for at in range(documents))
    found = [
        np.argsort(-(vectors @ truth), kind="stable")[:relevant]
        if relevant is not None
        else np.flatnonzero(member == cluster)
        for truth, cluster in zip(truths, meant.tolist(), strict=True)
    ]
    return PlantedClusters(vectors, member, truths, asked, names, _judgments(found, names))


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float64)


def _around(points: Floats, distance: float, draw: np.random.Generator) -> Floats:
    """Move unit vectors by Gaussian steps whose mean square length is the distance's square."""
    steps = draw.normal(size=points.shape) / np.sqrt(points.shape[1])
    return _unit(points + distance * steps)


def _judgments(found: list[Ints], names: tuple[str, ...]) -> Judgments:
    """Call each of the found documents relevant, and judge no other."""
    width = len(str(max(len(found) - 1, 0)))
    rows = [row for each in found for row in each.tolist()]
    return Judgments(
        queries=tuple(f"q{at:0{width}}" for at in range(len(found))),
        offsets=np.concatenate(([0], np.cumsum([len(each) for each in found]))).astype(np.int64),
        documents=encode(names[row] for row in rows),
        grades=np.ones(len(rows), np.int64),
        scale=1,
        name="planted",
    )


def run_trial(
    planted: PlantedClusters,
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
    timed = _TimedSearch(planted, candidates, settings, chosen, clock)
    for vector in planted.queries[:WARM_UP]:
        timed.ask(vector)
    studied: dict[str, StructureStudy] = {}
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


class _TimedSearch:
    """The search as it would run in use: cosines, then coherence, then diversity."""

    def __init__(
        self,
        planted: PlantedClusters,
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

    def ask(self, vector: Floats) -> tuple[FoundRows, Mapping[str, float]]:
        """Return the candidates by cosine, and the milliseconds until each method is done."""
        began = self._clock()
        cosines = self._documents @ vector
        rows = np.argsort(-cosines, kind="stable")[: self._most]
        first = found = FoundRows(rows, cosines[rows], "cosine", best=1.0)
        taken = {"cosine": (self._clock() - began) / 1e6}
        asked = SearchInput("", vector.astype(np.float32))
        for method, stage in self._stages.items():
            found = stage(asked, [found])
            taken[method] = (self._clock() - began) / 1e6
        return first, taken


def _figures(times: list[float]) -> dict[str, float]:
    values = np.array(times)
    return {"p50": percentile(values, 0.5), "p95": percentile(values, 0.95)}
