"""How large a difference is: its mean, its size in spreads, its wins, ties and losses."""

import math

from assay.records import Effect, Floats, Ints
from assay.statistics._macro_mean import MacroMean
from assay.statistics._paired import paired

__all__ = ["effect"]


def effect(differences: Floats, *, strata: Ints | None = None) -> Effect:
    """Describe paired differences; the standardised one is d_z of Cohen (1988, section 2.3.5)."""
    values = paired(differences, strata=strata)[:, 0]
    mean = MacroMean.of(values, strata)
    sd = mean.error * math.sqrt(len(values))
    return Effect(
        difference=mean.mean,
        sd=sd,
        standardised=_standardise(mean.mean, sd),
        wins=int((values > 0).sum()),
        ties=int((values == 0).sum()),
        losses=int((values < 0).sum()),
    )


def _standardise(mean: float, sd: float) -> float:
    if sd > 0:
        return mean / sd
    return math.copysign(math.inf, mean) if mean else 0.0
