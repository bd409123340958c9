"""Several builds of one configuration -> what builds vary by, apart from what queries vary by."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.records import Floats
from assay.statistics.variance_components import variance_components

__all__ = ["sum_up_repeats"]


def sum_up_repeats(
    scores: Mapping[str, Floats], figures: Mapping[str, Sequence[float]]
) -> dict[str, Any]:
    """Tell by metric how scores vary, and of each figure its mean and sd over the builds.

    ``scores`` have a row for each query and a column for each build, by metric; ``figures`` have a
    value for each build, e.g. latency_p50_ms, latency_p95_ms and index_seconds.
    """
    counts = {np.shape(columns)[-1] for columns in scores.values()}
    counts |= {len(values) for values in figures.values()}
    if len(counts) > 1:
        several = " and ".join(map(str, sorted(counts)))
        raise UsageError(f"not all was measured in every build: {several} values")
    return {
        "builds": counts.pop() if counts else 0,
        "scores": {metric: variance_components(columns) for metric, columns in scores.items()},
        "figures": {name: _over_builds(values) for name, values in figures.items() if len(values)},
    }


def _over_builds(values: Sequence[float]) -> dict[str, Any]:
    column = np.asarray(values, np.float64)
    spread = float(column.std(ddof=1)) if len(column) > 1 else None
    return {"mean": float(column.mean()), "sd": spread, "values": column.tolist()}
