"""Where candidates come to rest between themselves, their neighbours and the query."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assay.engines.coherence.conjugate_gradient import Solution, conjugate_gradient
from assay.engines.coherence.graph import Graph
from assay.records import CoherenceSettings, Floats

__all__ = ["Solved", "anchors", "solve"]

NUMBERS = 40_000  # that one block of columns has


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """Where candidates rest without the query (``baseline``) and with it (``solution``)."""

    baseline: Solution
    solution: Solution
    laplacian: Any
    anchor: Floats

    @property
    def residual(self) -> float:
        """The larger of both residuals: neither may be above the tolerance."""
        return max(self.baseline.residual, self.solution.residual)


def anchors(cosines: Floats) -> Floats | None:
    """Share the query's pull: b = max(s, 0) / sum, or None where no cosine is above 0.

    >>> anchors(np.array([0.6, 0.2, -0.4])).round(6).tolist()
    [0.75, 0.25, 0.0]
    """
    pulled = np.maximum(cosines, 0.0)
    total = float(pulled.sum())
    return pulled / total if total > 0 else None


def solve(
    vectors: Floats, query: Floats, *, anchor: Floats, graph: Graph, settings: CoherenceSettings
) -> Solved:
    """Solve for the baseline, starting at the vectors, and for the solution, starting at that.

    (lg I + lc L) Qb = lg X and (lg I + lc L + lq diag b) Q* = lg X + lq b y'.
    """
    from scipy.sparse import diags_array

    descend = partial(conjugate_gradient, tolerance=settings.tolerance, cap=settings.max_iterations)
    laplacian, pull = graph.laplacian(), settings.anchor * anchor
    ground = diags_array(np.full(graph.size, settings.ground))
    smooth = (settings.smoothing * laplacian + ground).tocsr()
    pulled = (smooth + diags_array(pull)).tocsr()
    baselines, solutions = [], []
    for columns in _blocks(*vectors.shape):
        rows = np.ascontiguousarray(vectors[:, columns])
        still = settings.ground * rows
        baselines.append(descend(smooth, still, rows))
        drawn = still + pull[:, None] * query[columns]
        solutions.append(descend(pulled, drawn, baselines[-1].values))
    return Solved(_together(baselines), _together(solutions), laplacian, anchor)


def _blocks(rows: int, columns: int) -> Iterator[slice]:
    """Split columns so that what is iterated on stays in the memory next to the processor."""
    width = max(NUMBERS // max(rows, 1), 1)
    yield from (slice(at, at + width) for at in range(0, columns, width))


def _together(parts: Sequence[Solution]) -> Solution:
    """Put columns side by side: what took longest, and came least near, stands for all."""
    return Solution(
        np.concatenate([part.values for part in parts], axis=1),
        max(part.iterations for part in parts),
        max(part.residual for part in parts),
    )
