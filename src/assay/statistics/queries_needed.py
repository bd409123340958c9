"""How many queries it takes to find a wanted difference, four times out of five."""

import math

from assay.errors import UsageError
from assay.statistics.power import power

__all__ = ["queries_needed"]

MOST = 10**9  # beyond this a difference is noise, not a plan


def queries_needed(
    difference: float,
    *,
    sd: float,
    candidates: int = 1,
    alpha: float = 0.05,
    target: float = 0.8,
) -> int:
    """Return the smallest number of queries whose power reaches the target, at least 2."""
    if difference == 0 or math.isinf(sd):
        hint = "give a difference other than 0 and a finite sd"
        raise UsageError("no number of queries is sufficient", hint=hint)

    def enough(queries: int) -> bool:
        found = power(difference, sd=sd, queries=queries, candidates=candidates, alpha=alpha)
        return found >= target

    high = 2
    while not enough(high) and high < MOST:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
