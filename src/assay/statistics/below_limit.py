"""Whether the mean of scores is below a limit: sign flips, and a test that knows skewed scores."""

import math

import numpy as np

from assay.records import Floats, Ints
from assay.statistics._sample import sample
from assay.statistics._weights import shares
from assay.statistics.randomisation import randomisation

__all__ = ["below_limit"]

STEPS = 60  # halvings, to the last digit of a double


def below_limit(
    scores: Floats,
    *,
    limit: float,
    flips: int = 10_000,
    seed: int = 0,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> float:
    """Return the one-sided p of "the mean of scores between 0 and 1 is at least the limit".

    Sign flips of the distances to the limit assume that these are as often above it as below. Few
    high scores among many low ones are not: of ten queries that each hit with a chance of .234, all
    miss 7 times in 100, and flips then give p = 1/1024. The empirical likelihood (Owen, Biometrika
    1988), with a further atom at the largest possible score, asks how likely the scores are at best
    under any distribution with the limit as its mean. The larger of both p is returned.
    """
    rows = sample(scores, strata=strata, weights=weights)[:, 0]
    p = randomisation(
        rows - limit, flips=flips, seed=seed, strata=strata, weights=weights, alternative="less"
    )
    return max(float(p[0]), _likelihood_p(rows, limit, shares(len(rows), strata, weights)))


def _likelihood_p(scores: Floats, limit: float, share: Floats) -> float:
    """Calibrate twice the log likelihood ratio by Student's t, which is careful with few queries.

    Queries with weights count as their effective number (Kish, Survey Sampling, 1965).
    """
    from scipy.special import stdtr  # scipy only where a tail is needed

    count = 1 / float(share @ share)
    if float(share @ scores) >= limit or count <= 1:
        return 1.0
    if limit >= 1:
        return 0.0  # a mean of 1 allows no lower score at all
    ratio = count * _largest(limit - scores, share, 1 / (1 - limit))
    return float(stdtr(count - 1, -math.sqrt(2 * max(ratio, 0.0))))


def _largest(below: Floats, share: Floats, most: float) -> float:
    """Return the largest value of sum share log(1 + x below), x from 0 to ``most``: concave."""
    low, high = 0.0, most * (1 - 1e-12)
    for _ in range(STEPS):
        middle = (low + high) / 2
        rises = float(share @ (below / (1 + middle * below))) > 0
        low, high = (middle, high) if rises else (low, middle)
    return float(share @ np.log1p(low * below))
