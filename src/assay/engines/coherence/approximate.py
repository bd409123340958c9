"""A graph whose neighbours were looked for in fewer dimensions, and how much of it is true."""

from dataclasses import dataclass

import numpy as np

from assay.engines.coherence.graph import DECIMALS, Graph, mutual, mutual_graph
from assay.records import CoherenceSettings, Floats, Vectors

__all__ = ["CandidateGraph", "approximate_graph", "edge_overlap", "join"]


@dataclass(frozen=True, slots=True, eq=False)
class CandidateGraph:
    """The graph that is ranked with, what to call it, and how near the approximate one came."""

    graph: Graph
    label: str = "exact"
    overlap: float | None = None
    jaccard: float | None = None


def approximate_graph(
    vectors: Vectors | Floats, *, neighbours: int = 5, directions: int = 32, seed: int = 0
) -> Graph:
    """Look for neighbours by distance along seeded random directions; weights are exact.

    Johnson and Lindenstrauss (1984): a random projection nearly keeps the distances.
    """
    rows = np.asarray(vectors, np.float64)
    random = np.random.default_rng(seed)
    small = rows @ random.standard_normal((rows.shape[1], directions))
    lengths = np.einsum("ij,ij->i", small, small)
    first, second, _ = mutual(
        lambda some: 2 * (small[some] @ small.T) - lengths[some, None] - lengths,
        len(rows),
        neighbours,
    )
    weights = np.round(np.einsum("ij,ij->i", rows[first], rows[second]), DECIMALS)
    kept = weights > 0
    return Graph(len(rows), first[kept], second[kept], weights[kept])


def edge_overlap(exact: Graph, approximate: Graph) -> tuple[float | None, float | None]:
    """Return the share of exact edges that were found, and Jaccard; None without exact edges."""
    if not len(exact.first):
        return None, None
    true, found = (one.first * one.size + one.second for one in (exact, approximate))
    both = len(np.intersect1d(true, found, assume_unique=True))
    return both / len(true), both / (len(true) + len(found) - both)


def join(
    vectors: Vectors | Floats, settings: CoherenceSettings, *, seed: int = 0
) -> CandidateGraph:
    """Build the graph that the settings ask for.

    An approximate one that shares less than ``min_overlap`` of the exact edges gives way to the
    exact one, and the label says so. With ``min_overlap`` 0 the exact one is never built.
    """
    if settings.graph == "exact":
        return CandidateGraph(mutual_graph(vectors, neighbours=settings.neighbours))
    guess = approximate_graph(
        vectors, neighbours=settings.neighbours, directions=settings.directions, seed=seed
    )
    if not settings.min_overlap:
        return CandidateGraph(guess, "approximate")
    exact = mutual_graph(vectors, neighbours=settings.neighbours)
    overlap, jaccard = edge_overlap(exact, guess)
    if overlap is not None and overlap < settings.min_overlap:
        return CandidateGraph(exact, f"exact (overlap {overlap:.2f})", overlap, jaccard)
    return CandidateGraph(guess, "approximate", overlap, jaccard)
