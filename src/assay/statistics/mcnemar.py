"""McNemar's exact test: whether one of two runs fails more of the same queries."""

import math

from assay.errors import UsageError

__all__ = ["mcnemar"]


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the one-sided p of "the second fails no more often than the first".

    Only queries of which exactly one run fails count; under the null each is as likely to be the
    first's as the second's: the binomial tail of McNemar (Psychometrika 1947).

    >>> mcnemar(0, 5), mcnemar(3, 0)
    (0.03125, 1.0)
    """
    if only_first < 0 or only_second < 0:
        raise UsageError("the number of failed queries must not be negative")
    total = only_first + only_second
    tail = sum(math.comb(total, failed) for failed in range(only_second, total + 1))
    return float(tail / 2**total)
