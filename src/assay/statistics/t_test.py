"""Student's paired t test, two-sided."""

import math
import sys

from assay.records import Floats, Ints
from assay.statistics._macro_mean import MacroMean
from assay.statistics._paired import paired

__all__ = ["t_test"]


def t_test(
    differences: Floats, *, strata: Ints | None = None, weights: Floats | None = None
) -> float:
    """Return the p-value of no difference; 1 for one query, or where nothing differs.

    Student (1908). Equal differences have no spread for t to use: then p is what turning their
    signs gives, 2 / 2^n, and never 0.
    """
    from scipy.special import stdtr  # scipy only where a tail is needed

    values = paired(differences, strata=strata, weights=weights)[:, 0]
    mean = MacroMean.of(values, strata, weights)
    if mean.mean == 0 or math.isinf(mean.error):
        return 1.0
    if mean.error == 0:
        return max(2.0 ** (1 - len(differences)), sys.float_info.min)
    p = 2 * float(stdtr(mean.freedom, -abs(mean.mean) / mean.error))
    return max(p, sys.float_info.min)
