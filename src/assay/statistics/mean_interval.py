"""Interval of a mean score: Wilson's where all scores are 0 or 1, else the bootstrap's."""

import math

import numpy as np

from assay.records import Floats, Interval, Ints
from assay.statistics._macro_mean import POOLED, MacroMean
from assay.statistics._sample import sample
from assay.statistics._weights import Group, groups_of
from assay.statistics.bootstrap import bootstrap
from assay.statistics.wilson import wilson

__all__ = ["mean_interval"]


def mean_interval(
    values: Floats,
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> Interval:
    """Give the range of a mean; a proportion is never certain, even where all queries score alike.

    The mean of the proportions of several collections gets the interval that Wilson's intervals of
    each imply: Zou and Donner (Statistics in Medicine 2008), after Newcombe (1998). Scores between
    0 and 1 of queries with unequal ``weights`` get Student's interval of the mean's logit (Korn and
    Graubard, Analysis of Health Surveys, 1999, chapter 3): a few heavy queries give resampled means
    that hold the truth less often.
    """
    column = sample(values, strata=strata, weights=weights)[:, 0]
    groups = groups_of(len(column), strata, weights)
    if not np.isin(column, (0.0, 1.0)).all():
        even = all(group.shares is None for group in groups)
        if not even and column.min() >= 0 and column.max() <= 1:
            return _logit(MacroMean.of(column, strata, weights), level)
        return bootstrap(
            values, level=level, resamples=resamples, seed=seed, strata=strata, weights=weights
        )
    pairs = [_proportion(column[group.rows], group, level) for group in groups]
    mean = sum(share for share, _ in pairs) / len(pairs)
    below = math.sqrt(sum((share - one.low) ** 2 for share, one in pairs)) / len(pairs)
    above = math.sqrt(sum((one.high - share) ** 2 for share, one in pairs)) / len(pairs)
    note = MacroMean.of(column, strata, weights).note
    note = "" if note == POOLED else note  # each proportion has its own interval
    return Interval(max(mean - below, 0.0), min(mean + above, 1.0), level, note)


def _proportion(values: Floats, group: Group, level: float) -> tuple[float, Interval]:
    """Return the share of ones, weighted, and its interval."""
    if group.shares is None:
        return float(values.mean()), wilson(int(values.sum()), group.count, level=level)
    share = float(values[0]) if np.ptp(values) == 0 else float(group.shares @ values)
    return share, wilson(min(share, 1.0) * group.size, group.size, level=level)


def _logit(mean: MacroMean, level: float) -> Interval:
    """Give the interval of a mean between 0 and 1 that stays there."""
    from scipy.special import expit, logit, stdtrit  # scipy only where a quantile is needed

    if mean.error == 0 or math.isinf(mean.error):
        return Interval(mean.mean - mean.error, mean.mean + mean.error, level, mean.note)
    reach = float(stdtrit(mean.freedom, (1 + level) / 2)) * mean.error
    if not 0 < mean.mean < 1:  # one query has all but a rounding error of the weight
        return Interval(max(mean.mean - reach, 0.0), min(mean.mean + reach, 1.0), level, mean.note)
    centre, slope = float(logit(mean.mean)), 1 / (mean.mean * (1 - mean.mean))
    ends = expit([centre - slope * reach, centre + slope * reach])
    return Interval(float(ends[0]), float(ends[1]), level, mean.note)
