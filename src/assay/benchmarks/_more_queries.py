"""How many more queries would settle a comparison: for the margin, and for the gain seen."""

import math

from assay.records import Comparison
from assay.statistics.queries_needed import MOST, queries_needed

__all__ = ["for_difference", "for_gain"]


def for_difference(one: Comparison, wanted: float, *, candidates: int, alpha: float) -> int | None:
    """Count the queries beyond those there are that find a difference; None where none is known."""
    if wanted <= 0 or not math.isfinite(one.sd):
        return None
    needed = queries_needed(wanted, sd=one.sd, candidates=candidates, alpha=alpha)
    return max(1, needed - one.queries)


def for_gain(one: Comparison, *, candidates: int, alpha: float) -> int | None:
    """Count those that would show a gain as large as the one seen; None for one that is noise.

    Where only few queries differ, no sign flip can show anything: with d of them the smallest p is
    2^(1 - d), times the number of candidates.
    """
    if one.difference <= 0 or not math.isfinite(one.sd):
        return None
    needed = queries_needed(one.difference, sd=one.sd, candidates=candidates, alpha=alpha)
    differ = max(1, one.wins + one.losses)
    flips = math.floor(1 + math.log2(candidates / alpha)) + 1
    needed = max(needed, math.ceil(flips * one.queries / differ))
    return None if needed >= MOST else max(1, needed - one.queries)
