"""Where candidates come to rest between themselves, their neighbours and the query."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assay.engines.coherence.conjugate_gradient import Solution, conjugate_gradient
from assay.engines.coherence.graph import Graph
from assay.records import CoherenceSettings, Floats

__all__ = ["CoherenceSolution", "anchors", "solve"]


@dataclass(frozen=True, slots=True, eq=False)
class CoherenceSolution:
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
) -> CoherenceSolution:
    """Solve for the baseline, starting at the vectors, and for the solution, starting at that.

    (lg I + lc L) Qb = lg X and (lg I + lc L + lq diag b) Q* = lg X + lq b y'.
    """
    from scipy.sparse import diags_array

    descend = partial(conjugate_gradient, tolerance=settings.tolerance, cap=settings.max_iterations)
    laplacian, pull = graph.laplacian(), settings.anchor * anchor
    ground = diags_array(np.full(graph.size, settings.ground, dtype=np.float64))
    smooth = (settings.smoothing * laplacian + ground).tocsr()
    pulled = (smooth + diags_array(pull)).tocsr()
    still = settings.ground * vectors
    baseline = descend(smooth, still, vectors)
    drawn = still + pull[:, None] * query
    return CoherenceSolution(baseline, descend(pulled, drawn, baseline.values), laplacian, anchor)
