"""A p value by as many sign flips as the number of tests of a gate asks for."""

import math
from collections.abc import Callable

from assay.verdicts.gate import GATE_ALPHA

__all__ = ["sign_flip_p"]

PER_ALPHA = 10  # sign flips per test and alpha, so that p can be far below alpha / tests
FLIPS = 10_000
SMALL = 0.02  # a p from which on more flips cannot make it one that fails


def sign_flip_p(test: Callable[[int], float], tests: int) -> float:
    """Test with few sign flips, and with as many as the number of tests asks for if p is small.

    Only the second p can be small enough to fail a gate, so that looking first does no harm.

    >>> sign_flip_p(lambda flips: 1 / flips, 1), sign_flip_p(lambda flips: 1 / flips, 100)
    (0.0001, 5e-06)
    """
    p = test(FLIPS)
    flips = math.ceil(PER_ALPHA * tests / GATE_ALPHA)
    return test(flips) if p <= SMALL and flips > FLIPS else p
