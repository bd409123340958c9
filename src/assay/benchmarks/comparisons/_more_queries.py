"""How many more queries would settle a comparison: for a gain, and for one like the margin."""

import math

from assay.records import Comparison
from assay.statistics.queries_needed import MOST, queries_needed

__all__ = ["more_queries"]


def more_queries(one: Comparison, wanted: float, *, candidates: int, alpha: float) -> int | None:
    """Count the queries beyond those there are that show a gain four times out of five.

    None where no number is known, such as where every query ties. With N queries the smallest p
    that sign flips can give is 2^(1 - N), times the number of candidates: fewer queries cannot
    show anything.
    """
    if wanted <= 0 or not math.isfinite(one.sd) or one.sd == one.difference == 0:
        return None
    needed = queries_needed(wanted, sd=one.sd, candidates=candidates, alpha=alpha)
    if needed >= MOST:
        return None
    fewest = math.floor(1 + math.log2(candidates / alpha)) + 1
    return max(1, max(needed, fewest) - one.queries)
