"""Wilson's interval of a proportion."""

from assay.errors import InputError
from assay.records import Interval

__all__ = ["wilson"]


def wilson(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Give the range of a proportion, within 0..1 and never empty: Wilson (JASA 1927).

    Of queries with weights, the trials are their effective number, which need not be whole (Franco,
    Little, Louis and Slud, Journal of Survey Statistics and Methodology 2019).
    """
    from scipy.special import ndtri  # scipy only where a quantile is needed

    if not 0 <= successes <= trials or trials <= 0:
        hint = "give at least one trial, and no more successes than trials"
        raise InputError(f"{successes} of {trials} is not a proportion", hint=hint)
    z = float(ndtri((1 + level) / 2))
    share = successes / trials
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    spread = (share * (1 - share) / trials + z**2 / (4 * trials**2)) ** 0.5
    reach = z * spread / (1 + z**2 / trials)
    low = 0.0 if successes == 0 else centre - reach
    return Interval(low, 1.0 if successes == trials else centre + reach, level)
