"""How the weight of queries, such as their traffic, is spread over them."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from assay.records.arrays import Floats

__all__ = ["about_traffic", "effective_queries", "weighted_mean"]


def weighted_mean(values: Floats, weights: Floats | None) -> float:
    """Return sum w x / sum w; the plain mean, to the bit, where queries count the same.

    >>> weighted_mean(np.array([1.0, 0.0]), np.array([3.0, 1.0]))
    0.75
    """
    if weights is None or np.ptp(weights) == 0:
        return float(values.mean())
    scaled = weights / weights.max()
    return float(scaled @ values / scaled.sum())


def effective_queries(weights: Iterable[float]) -> float:
    """Return how many queries of equal weight tell as much: Kish (Survey Sampling, 1965).

    >>> effective_queries([5, 5, 5]), round(effective_queries([8, 1, 1]), 2)
    (3.0, 1.52)
    """
    given = [float(one) for one in weights]
    if len(set(given)) <= 1:
        return float(len(given))
    top = max(given)
    shares = [one / top for one in given]
    return sum(shares) ** 2 / sum(one * one for one in shares)


def about_traffic(traffic: Mapping[str, float]) -> dict[str, Any]:
    """Tell how unequal weights are: the effective number of queries, and the heaviest query."""
    if not traffic:
        return {}
    heaviest = max(traffic, key=lambda query: traffic[query])
    top = traffic[heaviest]
    return {
        "effective_queries": effective_queries(traffic.values()),
        "heaviest": heaviest,
        "heaviest_share": 1 / sum(one / top for one in traffic.values()),
    }
