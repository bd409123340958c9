"""Who is near to whom: candidates that are among each other's nearest, joined by an edge."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.records import Floats, Ints, Vectors

__all__ = ["Graph", "mutual", "mutual_graph"]

# Cosines are rounded, so that equal pairs tie whatever order the processor added them up in.
DECIMALS = 12
NUMBERS = 4_000_000  # that are compared at once


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Edges between ``size`` candidates, each once: ``first`` < ``second``, weights above 0."""

    size: int
    first: Ints
    second: Ints
    weights: Floats

    def adjacency(self) -> Any:  # noqa: ANN401 - scipy's matrices have no types
        """Return the weights as a symmetric sparse matrix with a zero diagonal."""
        from scipy.sparse import csr_array

        rows = np.concatenate([self.first, self.second])
        columns = np.concatenate([self.second, self.first])
        weights = np.concatenate([self.weights, self.weights])
        return csr_array((weights, (rows, columns)), shape=(self.size, self.size))

    def degrees(self) -> Floats:
        """Sum up the weights of the edges of each node."""
        at = np.concatenate([self.first, self.second])
        weights = np.concatenate([self.weights, self.weights])
        return np.bincount(at, weights, self.size).astype(np.float64, copy=False)

    def laplacian(self) -> Any:  # noqa: ANN401 - scipy's matrices have no types
        """Return L = I - D^-1/2 A D^-1/2 on nodes with edges; an isolated node has a zero row.

        Chung, Spectral Graph Theory (1997), section 1.2.
        """
        from scipy.sparse import diags_array

        degrees = self.degrees()
        joined = degrees > 0
        root = np.where(joined, 1 / np.sqrt(np.where(joined, degrees, 1.0)), 0.0)
        share = self.weights * root[self.first] * root[self.second]
        shares = Graph(self.size, self.first, self.second, share).adjacency()
        return (diags_array(joined.astype(np.float64)) - shares).tocsr()

    def components(self) -> int:
        """Count the parts that no edge joins; an isolated node is one of its own."""
        if not self.size:
            return 0
        from scipy.sparse.csgraph import connected_components

        return int(connected_components(self.adjacency(), directed=False)[0])


def mutual_graph(vectors: Vectors | Floats, *, neighbours: int = 5) -> Graph:
    """Join candidates, rows of length 1, that are among each other's nearest by cosine.

    The weight is the cosine, and only those above 0 make an edge. Of candidates that are equally
    near the earlier one is nearer.

    >>> graph = mutual_graph(np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]), neighbours=1)
    >>> list(zip(graph.first.tolist(), graph.second.tolist(), graph.weights.tolist()))
    [(1, 2, 0.8)]
    """
    rows = np.asarray(vectors, np.float64)
    first, second, weights = mutual(lambda some: rows[some] @ rows.T, len(rows), neighbours)
    kept = weights > 0
    return Graph(len(rows), first[kept], second[kept], weights[kept])


def mutual(
    similar: Callable[[slice], Floats], size: int, neighbours: int
) -> tuple[Ints, Ints, Floats]:
    """Return the pairs that are among each other's nearest, the smaller first, and how similar.

    ``similar`` compares some of the ``size`` rows with all of them: many do not fit at once.
    """
    count = min(neighbours, size - 1)
    if count < 1:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    height = max(NUMBERS // size, 1)
    found = [_nearest(similar, at, height, count) for at in range(0, size, height)]
    ones, others, values = (np.concatenate(column) for column in zip(*found, strict=True))
    both = (ones < others) & np.isin(ones * size + others, others * size + ones)
    return ones[both], others[both], values[both]


def _nearest(
    similar: Callable[[slice], Floats], start: int, height: int, count: int
) -> tuple[Ints, Ints, Floats]:
    """Pair some rows with the ``count`` most similar to each; of equal ones the first."""
    values = similar(slice(start, start + height))
    np.round(values, DECIMALS, out=values)
    here = np.arange(len(values))
    values[here, start + here] = -np.inf  # nobody is a neighbour to itself
    at = values.shape[1] - count
    near = values >= np.partition(values, at, axis=1)[:, at, None]
    for row in np.flatnonzero(np.count_nonzero(near, axis=1) > count):
        near[row] = False
        near[row, np.argsort(-values[row], kind="stable")[:count]] = True
    ones, others = np.nonzero(near)
    return ones + start, others, values[ones, others]
