"""How many further queries would decide a check that is inconclusive, if what was seen is true."""

import math

from assay.statistics.queries_needed import MOST, queries_needed
from assay.verdicts.gate import GATE_ALPHA

__all__ = ["NOISE", "fewest_queries", "more_queries", "more_trials"]

NOISE = 1e-12  # what rounding alone can do to a score
UNLUCKY = 0.8416  # standard errors below which one time out of five falls


def fewest_queries(tests: int) -> int:
    """Count the queries with which any drop can be significant: one in every query, at best.

    The smallest one-sided p of n sign flips is 2^-n, times the number of tests.

    >>> fewest_queries(1), fewest_queries(12)
    (8, 12)
    """
    return math.ceil(math.log2(tests / GATE_ALPHA))


def more_queries(gap: float, sd: float, queries: int, tests: int) -> int | None:
    """Count the queries that are missing to show a gap four times out of five; None: unknown.

    >>> more_queries(0.3, 0.0, 5, 1)
    3
    """
    if gap <= NOISE or not math.isfinite(sd):
        return None
    fewest = fewest_queries(tests)
    # Two-sided at twice the level is one-sided at the level, but for a tail that nobody sees.
    needed = queries_needed(gap, sd=sd, candidates=tests, alpha=2 * GATE_ALPHA) if sd else fewest
    return None if needed >= MOST else max(1, max(needed, fewest) - queries)


def more_trials(hits: int, trials: int, limit: float, tests: int) -> int | None:
    """Count the trials that are missing to show, by the binomial, that hits are above a limit.

    >>> more_trials(4, 4, 0.05, 1) is None, more_trials(1, 20, 0.05, 1) is None
    (False, True)
    """
    share = hits / trials
    if share <= limit:
        return None
    high = trials + 1
    while not _shown(share, high, limit, tests):
        if high >= MOST:
            return None
        high *= 2
    low = trials
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _shown(share, middle, limit, tests) else (middle, high)
    return high - trials


def _shown(share: float, count: int, limit: float, tests: int) -> bool:
    from scipy.special import bdtrc  # scipy only where a tail is needed

    seen = math.floor(share * count - UNLUCKY * math.sqrt(count * share * (1 - share)))
    return seen > 0 and float(bdtrc(seen - 1, count, limit)) * tests <= GATE_ALPHA
