"""The smallest true difference that a number of queries finds, four times out of five."""

import math
from functools import lru_cache

from assay.statistics.power import power

__all__ = ["smallest_detectable"]


def smallest_detectable(
    *,
    sd: float,
    queries: int,
    candidates: int = 1,
    alpha: float = 0.05,
    target: float = 0.8,
) -> float:
    """Invert the power of the paired t test; infinite for one query, 0 for no spread."""
    if queries < 2 or math.isinf(sd):
        return math.inf
    return sd * _spreads(queries, candidates, alpha, target)


@lru_cache(maxsize=1024)
def _spreads(queries: int, candidates: int, alpha: float, target: float) -> float:
    """Bisect for the difference of one spread; each metric of a comparison asks the same."""

    def enough(difference: float) -> bool:
        found = power(difference, sd=1, queries=queries, candidates=candidates, alpha=alpha)
        return found >= target

    high = 1.0
    while not enough(high):
        high *= 2
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
