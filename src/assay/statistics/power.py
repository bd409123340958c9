"""Power: the chance that a true difference of a given size is found."""

import math
from functools import cache

import numpy as np

from assay.errors import UsageError
from assay.records import Floats

__all__ = ["power"]

NODES = 64  # per piece; three pieces agree with the noncentral t of scipy to 1e-9


def power(
    difference: float, *, sd: float, queries: int, candidates: int = 1, alpha: float = 0.05
) -> float:
    """Return the power of the two-sided paired t test at ``alpha / candidates``.

    The noncentral t (Johnson and Welch 1940): a normal divided by s, the root of chi-square over
    its degrees of freedom. The chance of exceeding the critical value is the mean over s of two
    normal tails, a smooth integral that has no corner where library routines give up.
    """
    _refuse(sd=sd, queries=queries, candidates=candidates, alpha=alpha)
    if queries < 2 or math.isinf(sd):
        return alpha / candidates
    if sd == 0:
        return 1.0 if difference else alpha / candidates
    from scipy.special import ndtr, stdtrit  # scipy only where a tail is needed

    freedom = queries - 1
    critical = -float(stdtrit(freedom, alpha / candidates / 2))
    centre = abs(difference) / sd * math.sqrt(queries)
    s, mass = _chi(freedom, breaks=(max(centre - 9, 0) / critical, (centre + 9) / critical))
    found = mass @ (ndtr(centre - critical * s) + ndtr(-centre - critical * s))
    return min(float(found), 1.0)


def _chi(freedom: int, *, breaks: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return Gauss-Legendre nodes of s and their probabilities, cut where the tails turn."""
    from scipy.special import gammaincinv, gammaln

    half = freedom / 2
    ends = np.sqrt(gammaincinv(half, [1e-16, 1 - 1e-16]) / half)
    cuts = np.array([ends[0], *np.clip(breaks, *ends), ends[1]])
    nodes, share = _legendre()
    width = np.diff(cuts)[:, None] / 2
    s = (cuts[:-1, None] + width * (nodes + 1)).ravel()
    log_density = half * math.log(half) - gammaln(half) + math.log(2)
    log_density = log_density + (freedom - 1) * np.log(s) - half * s**2
    return s, (width * share).ravel() * np.exp(log_density)


@cache
def _legendre() -> tuple[Floats, Floats]:
    """Return the nodes and weights once for all: to find them costs more than to use them."""
    return np.polynomial.legendre.leggauss(NODES)


def _refuse(*, sd: float, queries: int, candidates: int, alpha: float) -> None:
    if not sd >= 0:
        raise UsageError(f"sd: invalid value {sd}", hint="expected a number >= 0")
    if queries < 1 or candidates < 1:
        raise UsageError("power needs at least one query and one candidate")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha must be between 0 and 1, got {alpha}")
