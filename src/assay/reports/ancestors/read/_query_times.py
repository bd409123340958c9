"""The latency of each query -> mean and percentiles, as a run has them."""

from collections.abc import Mapping
from typing import Any

__all__ = ["query_times"]

SHARES = {"p50": 50.0, "p95": 95.0, "p99": 99.0}


def query_times(times: Mapping[str, float | None], mean: float | None) -> dict[str, Any]:
    """Sum the milliseconds of queries up, if all are known; else only the mean is.

    >>> query_times({"q1": 4.0, "q2": 8.0}, None)["p50"]
    6.0
    """
    known = {query: took for query, took in times.items() if took is not None}
    told = {} if mean is None else {"mean": mean}
    if not known or len(known) < len(times):
        return told
    import numpy as np  # few files have times of queries

    values = np.array([*known.values()], np.float64)
    percentiles = {name: float(np.percentile(values, share)) for name, share in SHARES.items()}
    found: dict[str, Any] = {"mean": float(values.mean()), **told, **percentiles}
    return found | {"samples": len(values), "queries": known}
