"""Sampling in proportion to size: a few queries stand for all, each with a known probability."""

import numpy as np

from assay.errors import UsageError
from assay.records import Bools, Floats, Ints
from assay.records.diff import QuerySample
from assay.statistics._sample import sample

__all__ = ["pps_sample"]


def pps_sample(sizes: Floats, *, draws: int, seed: int = 0) -> QuerySample:
    """Draw ``draws`` different rows, each with a probability in proportion to its size.

    Rows that are so large that theirs would exceed 1 are drawn for certain, and the rest in
    proportion. Systematic sampling of a random order (Madow, Annals of Mathematical Statistics
    1949; Hartley and Rao 1962): the number of rows and all probabilities are exact. The sum of
    w d / probability over the drawn estimates that over all rows without bias (Horvitz and
    Thompson, JASA 1952). If sizes are the weights w, its weights w / probability sum to those of
    all rows whatever is drawn, so that the weighted mean of the drawn is unbiased, too.

    >>> found = pps_sample(np.array([6.0, 1.0, 1.0, 2.0]), draws=2)
    >>> found.probabilities.tolist(), int(found.rows[0])
    ([1.0, 0.25, 0.25, 0.5], 0)
    """
    weights = sample(sizes, weights=np.asarray(sizes, np.float64), what="sizes")[:, 0]
    if not 1 <= draws <= len(weights):
        hint = f"expected a number from 1 to {len(weights):,}"
        raise UsageError(f"cannot draw {draws:,} of {len(weights):,} rows", hint=hint)
    chances = _probabilities(weights, draws)
    sure = chances == 1.0
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = np.concatenate([np.flatnonzero(sure), _systematic(chances, ~sure, generator)])
    return QuerySample(np.sort(rows), chances)


def _probabilities(weights: Floats, draws: int) -> Floats:
    """Return the probability of each row; they sum to the number of draws."""
    chances, sure = np.ones(len(weights)), np.zeros(len(weights), bool)
    while draws > sure.sum():
        rest = weights / weights[~sure].max()  # whose sum is finite
        chances = np.where(sure, 1.0, (draws - sure.sum()) * rest / rest[~sure].sum())
        over = ~sure & (chances >= 1.0)
        if not over.any():
            break
        sure |= over
    return np.where(sure, 1.0, chances)


def _systematic(chances: Floats, among: Bools, generator: np.random.Generator) -> Ints:
    """Go through the rows in random order, and take one at each step of 1."""
    order = generator.permutation(np.flatnonzero(among))
    ends = np.cumsum(chances[order])
    count = round(float(ends[-1])) if len(order) else 0
    if not count:
        return np.empty(0, np.int64)
    steps = (generator.random() + np.arange(count)) * ends[-1] / count
    places = np.minimum(np.searchsorted(ends, steps, side="right"), len(order) - 1)
    return np.asarray(order[places], np.int64)
