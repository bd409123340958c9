"""Candidates ordered by what the query's pull does to them, unless a gate or a fallback says no."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.engines.coherence.energy import Drop, fall
from assay.engines.coherence.graph import Graph
from assay.engines.coherence.solve import CoherenceSolution, anchors, solve
from assay.records import CoherenceSettings, Floats, Ints

__all__ = ["CoherenceRanking", "alignments", "best_first", "kept", "rank"]

TENTH = 10  # the place whose cosine the first one is compared with
FLAT = 1e-6  # the standard deviation below which all drops are the same
DECIMALS = 12  # of a score: those that differ by less tie, whatever order they were added up in


@dataclass(frozen=True, slots=True, eq=False)
class CoherenceRanking:
    """What the solve says of each candidate (``scores``), and the order that counts.

    ``order`` has the places of candidates, best first: those of the cosines if there is a ``gate``
    or a ``fallback``. ``ungated`` is the order without gates; a fallback holds there too.
    """

    order: Ints
    ungated: Ints
    scores: Floats
    gate: str | None
    fallback: str | None
    solved: CoherenceSolution | None = None
    drop: Drop | None = None
    solve_ms: float = 0.0


def kept(cosines: Floats, settings: CoherenceSettings) -> tuple[str | None, str | None]:
    """Say why the order of the cosines stays, before anything is solved: a gate, a fallback.

    Easy: the first cosine is more than ``gap_margin`` above the tenth, or above the last of fewer.
    """
    if settings.force_fallback:
        return None, "forced"
    if anchors(cosines) is None:
        return None, "no_anchor"
    gap = float(cosines[0] - cosines[min(TENTH, len(cosines)) - 1])
    return ("easy" if gap > settings.gap_margin else None), None


def rank(
    vectors: Floats,
    query: Floats,
    cosines: Floats,
    *,
    graph: Graph,
    settings: CoherenceSettings,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> CoherenceRanking:
    """Solve and score candidates that come in the order of their cosines.

    A solve whose residual stays above the tolerance is a fallback; one that lowers the energy by
    less than ``min_drop`` is gated as of low impact.
    """
    gate, fallback = kept(cosines, settings)
    still = np.arange(len(cosines))
    anchor = anchors(cosines)
    if anchor is None:
        return CoherenceRanking(still, still, cosines, gate, fallback)
    began = clock()
    solved = solve(vectors, query, anchor=anchor, graph=graph, settings=settings)
    solve_ms = (clock() - began) / 1e6
    drop = fall(vectors, query, solved, settings)
    scores = _scores(drop.items["coherence"], alignments(solved.solution.values, query), settings)
    trusted = not settings.force_fallback and solved.residual <= settings.tolerance
    if not gate and not fallback:
        fallback = None if trusted else "residual"
        gate = "low_impact" if trusted and drop.total < settings.min_drop else None
    ungated = best_first(scores) if trusted else still
    order = still if gate else ungated
    return CoherenceRanking(order, ungated, scores, gate, fallback, solved, drop, solve_ms)


def best_first(scores: Floats) -> Ints:
    """Order by falling score; those that tie stay in the order that they came in."""
    return np.argsort(-scores, kind="stable")


def alignments(places: Floats, query: Floats) -> Floats:
    """Return the cosine of each row with the query; with a row of zeros it is 0."""
    lengths = np.sqrt(np.einsum("ij,ij->i", places, places) * (query @ query))
    aligned = np.zeros(len(places))
    np.divide(places @ query, lengths, out=aligned, where=lengths > 0)
    return aligned


def _scores(drops: Floats, aligned: Floats, settings: CoherenceSettings) -> Floats:
    """Return alpha z(coherence drop) + (1 - alpha) cos(q*, y); z has the population's deviation."""
    spread = float(drops.std())
    z = (drops - drops.mean()) / spread if spread >= FLAT else np.zeros(len(drops))
    return np.round(settings.alpha * z + (1 - settings.alpha) * aligned, DECIMALS)
