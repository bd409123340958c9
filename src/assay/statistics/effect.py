"""How large a difference is: its mean, its size in spreads, its wins, ties and losses."""

import math

import numpy as np

from assay.records import Effect, Floats, Ints
from assay.statistics._macro_mean import MacroMean
from assay.statistics._paired import paired
from assay.statistics._weights import shares

__all__ = ["effect"]


def effect(
    differences: Floats, *, strata: Ints | None = None, weights: Floats | None = None
) -> Effect:
    """Describe paired differences; the standardised one is d_z of Cohen (1988, section 2.3.5).

    The spread grows with unequal ``weights``, by the root of n over the effective number of Kish,
    so that power and the number of queries to add are those of queries with such weights.
    """
    values = paired(differences, strata=strata, weights=weights)[:, 0]
    mean = MacroMean.of(values, strata, weights)
    sd = mean.error * math.sqrt(len(values))
    of = shares(len(values), strata, weights)
    even = strata is None and np.ptp(of) == 0
    return Effect(
        difference=mean.mean,
        sd=sd,
        flip_sd=sd if even else _flip_sd(of * values, mean.mean, sd),
        standardised=_standardise(mean.mean, sd),
        wins=int((values > 0).sum()),
        ties=int((values == 0).sum()),
        losses=int((values < 0).sum()),
    )


def _flip_sd(weighted: Floats, mean: float, sd: float) -> float:
    """Return the sd with which one collection would be tested as these are by sign flips.

    Flips give the mean a variance of sum w^2 d^2. With one collection of equal weights that is
    (sd^2 + mean^2) / n, with several each one's own mean counts in it.
    """
    flipped = len(weighted) * float(np.sum(weighted**2))
    return max(sd, math.sqrt(max(flipped - mean * mean, 0.0)))


def _standardise(mean: float, sd: float) -> float:
    if sd > 0:
        return mean / sd
    return math.copysign(math.inf, mean) if mean else 0.0
