"""Interval of a mean score: Wilson's where every query scores 0 or 1, else the bootstrap's."""

import math

import numpy as np

from assay.records import Floats, Interval, Ints
from assay.statistics._macro_mean import POOLED, MacroMean
from assay.statistics._sample import sample
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
) -> Interval:
    """Give the range of a mean; a proportion is never certain, even where all queries score alike.

    The mean of the proportions of several collections gets the interval that Wilson's intervals of
    each imply: Zou and Donner (Statistics in Medicine 2008), after Newcombe (1998).
    """
    column = sample(values, strata=strata)[:, 0]
    if not np.isin(column, (0.0, 1.0)).all():
        return bootstrap(values, level=level, resamples=resamples, seed=seed, strata=strata)
    groups = [column] if strata is None else [column[strata == c] for c in np.unique(strata)]
    each = [wilson(int(group.sum()), len(group), level=level) for group in groups]
    pairs = [(float(group.mean()), one) for group, one in zip(groups, each, strict=True)]
    mean = sum(share for share, _ in pairs) / len(pairs)
    below = math.sqrt(sum((share - one.low) ** 2 for share, one in pairs)) / len(pairs)
    above = math.sqrt(sum((one.high - share) ** 2 for share, one in pairs)) / len(pairs)
    note = MacroMean.of(column, strata).note
    note = "" if note == POOLED else note  # each proportion has its own interval
    return Interval(max(mean - below, 0.0), min(mean + above, 1.0), level, note)
