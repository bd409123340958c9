"""A mean over queries (over collections first, where there are several) and its standard error."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.records import Floats, Ints
from assay.statistics._weights import Group, groups_of, shares

__all__ = ["POOLED", "MacroMean"]

EQUAL = "all values equal"
SINGLE = "only one query: the spread is unknown"
POOLED = "a collection with one query uses the spread of the other collections"


@dataclass(frozen=True, slots=True)
class MacroMean:
    """A mean, its standard error and the error's degrees of freedom; error infinite if unknown."""

    mean: float
    error: float
    freedom: float
    note: str = ""

    @classmethod
    def of(cls, values: Floats, strata: Ints | None = None, weights: Floats | None = None) -> Self:
        """Estimate from one column of values.

        The variance is sum s_c^2 / (C^2 n_c) over the C collections, with the degrees of freedom
        of Satterthwaite (1946) and Welch (1947). With one collection that is Student's own. Of
        queries with weights, n_c is the effective number, and s_c^2 / n_c the delete-one jackknife
        variance of sum w x / sum w, which needs no draws: see `_variance`.
        """
        mean = float(shares(len(values), strata, weights) @ values)
        groups = groups_of(len(values), strata, weights)
        variances = np.array([_variance(values[group.rows], group) for group in groups])
        sizes = np.array([group.size for group in groups])
        known = np.array([group.count > 1 for group in groups])
        if not known.any():
            return cls(mean, np.inf, 1.0, SINGLE)
        free = np.maximum(sizes[known] - 1, 1.0)  # one heavy query against the rest has one
        pooled = float(variances[known] @ free / free.sum())
        freedoms = np.full(len(sizes), free.sum())
        freedoms[known] = free
        parts = np.where(known, variances, pooled) / (len(sizes) ** 2 * sizes)
        note = "" if known.all() else POOLED
        total = float(parts.sum())
        if total == 0:
            return cls(mean, 0.0, float(freedoms.sum()), EQUAL)
        portions = parts / total  # whose squares do not vanish, however small the values are
        return cls(mean, total**0.5, 1 / float((portions**2 / freedoms).sum()), note)


def _variance(values: Floats, group: Group) -> float:
    """Estimate the variance of one query; over the effective number it is that of the mean.

    Without query i the weighted mean m moves by p_i (m - x_i) / (1 - p_i), p_i being its share. The
    jackknife variance, the sum of the squares of these times (n - 1) / n, is s^2 / n for equal
    weights (Tukey 1958; Miller, Biometrika 1974, of ratios). It holds 95 % where the linearised
    variance, p_i (m - x_i), holds 92 %, as a heavy query pulls the mean towards itself.
    """
    # Equal values must have no spread at all, whatever rounding their mean suffered.
    if len(values) == 1 or np.ptp(values) <= 1e-12 * np.abs(values).max():
        return 0.0
    if group.shares is None:
        return float(values.var(ddof=1))
    moved = group.shares * (values - group.shares @ values) / np.maximum(1 - group.shares, 0.5)
    top = int(group.shares.argmax())  # of which too few digits of 1 - p may be left
    rest = np.delete(group.shares, top)
    moved[top] = group.shares[top] * (values[top] - np.delete(values, top) @ (rest / rest.sum()))
    return float(moved @ moved) * (1 - 1 / len(values)) * group.size
