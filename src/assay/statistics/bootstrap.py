"""Bootstrap interval of a mean score: what other queries of the same kind would have given."""

import numpy as np

from assay.records import Floats, Interval, Ints
from assay.statistics._macro_mean import MacroMean
from assay.statistics._sample import sample
from assay.statistics._weights import groups_of

__all__ = ["bootstrap"]

DRAWS = 2**24  # at most this many draws in all: above 1,677 queries the resamples become fewer
BLOCK = 2**15  # draws made at once: their indexes and values fit a processor's cache
MANY = 500  # queries from which a nearly normal mean needs no draws
Groups = list[tuple[Floats, Floats | None]]  # values of each collection, and their shares


def bootstrap(
    values: Floats,
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> Interval:
    """Give the bias-corrected and accelerated (BCa) interval of a mean: Efron (JASA 1987).

    Resampled means spread too little, by n - 1 against n and by the normal against Student's t; at
    10 queries that costs 5 points of coverage. So BCa reads the quantiles that make up for it:
    Hesterberg (The American Statistician 2015). Several collections: each is resampled
    separately and the means are averaged. Queries with ``weights`` are resampled with them, and
    each resampled mean is sum w x / sum w. With 500 queries or more of equal weight, where the mean
    is nearly normal, the distribution of resampled means is computed, which is faster and more
    precise.
    """
    from scipy.special import stdtrit  # scipy only where a quantile is needed

    column = sample(values, strata=strata, weights=weights)[:, 0]
    mean = MacroMean.of(column, strata, weights)
    reach = float(stdtrit(mean.freedom, (1 + level) / 2)) * mean.error
    if mean.error == 0 or np.isinf(mean.error):
        return Interval(mean.mean - reach, mean.mean + reach, level, mean.note)
    groups = [(column[one.rows], one.shares) for one in groups_of(len(column), strata, weights)]
    even = all(shares is None for _, shares in groups)
    error, skewness, kurtosis = _shape(groups)
    ends = np.array([-reach, reach]) / error
    if even and len(column) >= MANY and abs(skewness) < 0.1 and abs(kurtosis) < 0.05:
        # The mean's bias correction equals its acceleration, a sixth of its skewness: Efron 1987.
        read = _adjusted(ends, shift=skewness / 6, acceleration=skewness / 6)
        low, high = mean.mean + error * _cornish_fisher(read, skewness, kurtosis)
    else:
        means = _means(groups, resamples=resamples, seed=seed)
        low, high = _read(means, mean.mean, ends=ends, acceleration=skewness / 6)
    return Interval(float(low), float(high), level, mean.note)


def _shape(groups: Groups) -> tuple[float, float, float]:
    """Return the standard error, skewness and excess kurtosis of the resampled mean.

    Deviations are taken as shares of the largest, whose powers do not vanish. A weighted mean is
    linearised: each query deviates by its share of the distance from the mean.
    """
    second = third = fourth = 0.0
    apart = [_deviations(group, shares) for group, shares in groups]
    scale = max(float(np.abs(one).max()) for one in apart)
    for group in apart:
        part = group / scale / (len(group) * len(groups))
        square = float((part**2).sum())
        second += square
        third += float((part**3).sum())
        fourth += float((part**4).sum()) - 3 * square**2 / len(group)
    return scale * second**0.5, third / second**1.5, fourth / second**2


def _deviations(group: Floats, shares: Floats | None) -> Floats:
    if shares is None:
        return np.asarray(group - group.mean(), dtype=np.float64)
    return np.asarray(len(group) * shares * (group - shares @ group), dtype=np.float64)


def _adjusted(ends: Floats, *, shift: float, acceleration: float) -> Floats:
    """Return the two normal quantiles that BCa reads instead of the plain ones."""
    moved = shift + ends
    return np.asarray(shift + moved / np.maximum(1 - acceleration * moved, 1e-6), dtype=np.float64)


def _cornish_fisher(z: Floats, skewness: float, kurtosis: float) -> Floats:
    """Turn normal quantiles into those of a nearly normal sum: Cornish and Fisher (1938)."""
    straight = z + (z**2 - 1) * skewness / 6 + (z**3 - 3 * z) * kurtosis / 24
    return np.asarray(straight - (2 * z**3 - 5 * z) * skewness**2 / 36, dtype=np.float64)


def _means(groups: Groups, *, resamples: int, seed: int) -> Floats:
    """Draw resampled means, each collection separately, in blocks of bounded size."""
    generator = np.random.Generator(np.random.PCG64(seed))
    queries = sum(len(group) for group, _ in groups)
    resamples = min(resamples, max(2_000, DRAWS // queries))
    means = np.zeros(resamples)
    for group, shares in groups:
        rows = max(1, BLOCK // len(group))
        for start in range(0, resamples, rows):
            part = means[start : start + rows]
            drawn = generator.integers(len(group), size=(len(part), len(group)))
            if shares is None:
                part += group[drawn].mean(axis=1)
            else:
                part += (shares * group)[drawn].sum(axis=1) / shares[drawn].sum(axis=1)
    return np.sort(means / len(groups))


def _read(means: Floats, mean: float, *, ends: Floats, acceleration: float) -> Floats:
    """Read the interval off the sorted means; equal means count half as below, half as above."""
    from scipy.special import ndtr, ndtri  # scipy only where a quantile is needed

    noise = 1e-10 * (means[-1] - means[0])
    below = np.searchsorted(means, [mean - noise, mean + noise]).mean() / len(means)
    shift = float(ndtri(np.clip(below, 0.5 / len(means), 1 - 0.5 / len(means))))
    shares = ndtr(_adjusted(ends, shift=shift, acceleration=acceleration))
    read = np.interp(shares * (len(means) - 1), np.arange(len(means)), means)
    return np.asarray(read, dtype=np.float64)
