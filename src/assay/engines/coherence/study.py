"""Rank one query in every way that coherence is to be compared with, and account for it."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from assay.engines.coherence._candidates import Candidates, line_up
from assay.engines.coherence.approximate import join
from assay.engines.coherence.check_settings import check_settings
from assay.engines.coherence.controls import neighbour_average, shuffled_graph
from assay.engines.coherence.graph import Graph
from assay.engines.coherence.rank import CoherenceRanking, best_first, rank
from assay.engines.coherence.receipt import write_receipt
from assay.engines.mmr import mmr as diversify
from assay.engines.redundancy import redundancy
from assay.records import CoherenceSettings, Floats, Ints, MmrSettings, StructureStudy, Vectors

__all__ = ["study"]


def study(
    vectors: Vectors | Floats,
    query: Vectors | Floats,
    *,
    names: Sequence[str],
    settings: CoherenceSettings | None = None,
    mmr: MmrSettings | None = None,
    cosines: Floats | None = None,
    seed: int = 0,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> StructureStudy:
    """Rank candidates (rows, their names, and cosines if they are known) by every method.

    Everything is solved, also for a query that a gate lets pass: the receipt shows what the solve
    would have done, and ``gate`` that it did not count. ``coherence`` and ``shuffled_graph`` pass
    the gates, each by its own numbers; ``coherence_open`` and ``neighbour_average`` pass none.
    """
    import scipy.sparse  # noqa: F401 - now, so that the first solve is not timed with it

    settings, mmr = settings or CoherenceSettings(), mmr or MmrSettings()
    check_settings(settings)
    asked = line_up(vectors, query, names, cosines)
    began = clock()
    joined = join(asked.vectors, settings, seed=seed)
    built = clock()
    ranked = _rank(asked, joined.graph, settings, clock)
    spent = _spent(began, built, clock(), ranked.solve_ms)
    mixed, diversified = _diversified(asked, ranked, mmr)
    orders = _orders(asked, joined.graph, ranked, settings, seed) | {"coherence_mmr": mixed}
    alike = {name: redundancy(asked.vectors[order[: mmr.k]]) for name, order in orders.items()}
    receipt = write_receipt(
        asked,
        joined,
        ranked,
        settings=settings,
        redundancy=alike["coherence"],
        k=mmr.k,
        final=mixed if settings.use_mmr and diversified else None,
        milliseconds=spent,
    )
    named = {name: _named(asked.names, order) for name, order in orders.items()}
    return StructureStudy(receipt, named, alike)


def _rank(
    asked: Candidates, graph: Graph, settings: CoherenceSettings, clock: Callable[[], int]
) -> CoherenceRanking:
    return rank(
        asked.vectors, asked.query, asked.cosines, graph=graph, settings=settings, clock=clock
    )


def _spent(began: int, built: int, done: int, solve_ms: float) -> dict[str, float]:
    build, rest = (built - began) / 1e6, (done - built) / 1e6
    return {"build": build, "solve": solve_ms, "rank": rest - solve_ms}


def _orders(
    asked: Candidates,
    graph: Graph,
    ranked: CoherenceRanking,
    settings: CoherenceSettings,
    seed: int,
) -> dict[str, Ints]:
    shuffled = shuffled_graph(graph, asked.names, seed=seed)
    return {
        "cosine": np.arange(len(asked.names)),
        "coherence": ranked.order,
        "coherence_open": ranked.ungated,
        "neighbour_average": best_first(neighbour_average(asked.cosines, graph)),
        "shuffled_graph": _rank(asked, shuffled, settings, time.perf_counter_ns).order,
    }


def _diversified(
    asked: Candidates, ranked: CoherenceRanking, settings: MmrSettings
) -> tuple[Ints, bool]:
    """Diversify what coherence ranked, and say whether the settings wanted that."""
    kept = ranked.gate is not None or ranked.fallback is not None
    scores = (asked.cosines if kept else ranked.scores)[ranked.order]
    order, worths = diversify(scores, asked.vectors[ranked.order], settings=settings)
    return ranked.order[order], len(worths) > 0


def _named(names: Sequence[str], order: Ints) -> tuple[str, ...]:
    return tuple(names[at] for at in order.tolist())
