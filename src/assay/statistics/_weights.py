"""How much each query counts in the mean: equal collections, queries within one by their weight."""

from dataclasses import dataclass

import numpy as np

from assay.records import Floats, Ints

__all__ = ["Group", "groups_of", "shares"]


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The rows of one collection, and their shares of its mean, which sum to 1; None: all equal."""

    rows: Ints | slice
    count: int
    shares: Floats | None

    @property
    def size(self) -> float:
        """The effective number of queries of Kish (Survey Sampling, 1965): 1 / sum of squares."""
        if self.shares is None:
            return float(self.count)
        return max(1.0, 1 / float(self.shares @ self.shares))

    @property
    def resampled(self) -> float:
        """How many queries n of equal weight vary as much too little when they are resampled.

        The variance of resampled means times n / (n - 1) is unbiased if all queries vary alike.
        """
        if self.shares is None:
            return float(self.count)
        squares = self.shares**2
        return float(squares.sum() / (squares @ (2 * self.shares - squares.sum())))


def groups_of(queries: int, strata: Ints | None, weights: Floats | None) -> list[Group]:
    """Return the collections; weights that are equal within one make no difference to it."""
    if strata is None:
        return [Group(slice(None), queries, _shares(weights))]
    rows = [np.flatnonzero(strata == one) for one in np.unique(strata)]
    return [
        Group(own, len(own), _shares(None if weights is None else weights[own])) for own in rows
    ]


def shares(queries: int, strata: Ints | None = None, weights: Floats | None = None) -> Floats:
    """Return shares that sum to 1, so that ``shares @ values`` is the (macro) mean."""
    if strata is None:
        even = np.full(queries, 1 / queries)
    else:
        _, member, sizes = np.unique(strata, return_inverse=True, return_counts=True)
        even = np.asarray(1 / (len(sizes) * sizes[member]), dtype=np.float64)
    if weights is None:
        return even
    groups = groups_of(queries, strata, weights)
    for group in groups:
        if group.shares is not None:
            even[group.rows] = group.shares / len(groups)
    return even


def _shares(weights: Floats | None) -> Floats | None:
    if weights is None or np.ptp(weights) == 0:
        return None
    scaled = weights / weights.max()  # whose sum is finite
    return np.asarray(scaled / scaled.sum(), dtype=np.float64)
