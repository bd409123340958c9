"""Non-inferiority: does a candidate lose significantly less than an acceptable margin."""

import math

from assay.errors import UsageError
from assay.records import Floats, Ints, NonInferiority
from assay.statistics._macro_mean import MacroMean
from assay.statistics._paired import paired

__all__ = ["noninferiority"]


def noninferiority(
    differences: Floats,
    *,
    margin: float,
    alpha: float = 0.05,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> NonInferiority:
    """Test one-sided whether the mean difference lies above ``-margin``.

    Equivalent to the lower end of the one-sided t interval lying above it (Schuirmann 1987).
    ``1 - p`` is the p-value of the opposite claim, that the margin is lost.
    """
    from scipy.special import stdtr, stdtrit  # scipy only where a tail is needed

    if not margin >= 0:
        raise UsageError(f"margin: invalid value {margin}", hint="expected a number >= 0")
    values = paired(differences, strata=strata, weights=weights)[:, 0]
    mean = MacroMean.of(values, strata, weights)
    above = mean.mean + margin
    if math.isinf(mean.error):
        return NonInferiority(noninferior=False, p=0.5, low=-math.inf, margin=margin)
    if mean.error == 0:
        shown = above > 0
        p = 2.0 ** -len(differences) if shown else 1.0
        return NonInferiority(noninferior=shown and p < alpha, p=p, low=mean.mean, margin=margin)
    p = float(stdtr(mean.freedom, -above / mean.error))
    low = mean.mean - float(stdtrit(mean.freedom, 1 - alpha)) * mean.error
    return NonInferiority(noninferior=p < alpha, p=p, low=low, margin=margin)
