"""What coherence must beat to be worth its cost: an average of neighbours, and a graph of noise."""

import hashlib
from collections.abc import Sequence

import numpy as np

from assay.engines.coherence.graph import Graph
from assay.records import Floats

__all__ = ["neighbour_average", "shuffled_graph"]


def neighbour_average(cosines: Floats, graph: Graph) -> Floats:
    """Score by .5 s + .5 W s, W the weights with rows that sum to 1; an isolated node keeps s.

    No gate keeps it from ranking: it always does.
    """
    degrees = graph.degrees()
    joined = degrees > 0
    near = (graph.adjacency() @ cosines) / np.where(joined, degrees, 1.0)
    return np.where(joined, 0.5 * cosines + 0.5 * near, cosines)


def shuffled_graph(graph: Graph, names: Sequence[str], *, seed: int = 0) -> Graph:
    """Give the nodes of a graph other places: as many edges, of the same weights and shape.

    The method then ranks with it, gates and all. The places are drawn from a seed and the names of
    the candidates, so that a query gets the same ones whichever queries came before it.
    """
    said = "\0".join([str(seed), *names]).encode("utf-8", "surrogatepass")
    drawn = np.random.default_rng(int.from_bytes(hashlib.sha256(said).digest()[:8], "big"))
    places = drawn.permutation(graph.size)
    one, other = places[graph.first], places[graph.second]
    return Graph(graph.size, np.minimum(one, other), np.maximum(one, other), graph.weights)
