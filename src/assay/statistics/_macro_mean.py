"""A mean over queries (over collections first, where there are several) and its standard error."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.records import Floats, Ints
from assay.statistics._weights import weights

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
    def of(cls, values: Floats, strata: Ints | None = None) -> Self:
        """Estimate from one column of values.

        The variance is sum s_c^2 / (C^2 n_c) over the C collections, with the degrees of freedom
        of Satterthwaite (1946) and Welch (1947). With one collection that is Student's own.
        """
        mean = float(weights(len(values), strata) @ values)
        variances, sizes = _spread(values, strata)
        known = sizes > 1
        if not known.any():
            return cls(mean, np.inf, 1.0, SINGLE)
        pooled = float(variances[known] @ (sizes[known] - 1) / (sizes[known] - 1).sum())
        freedoms = np.where(known, sizes - 1, (sizes[known] - 1).sum())
        parts = np.where(known, variances, pooled) / (len(sizes) ** 2 * sizes)
        note = "" if known.all() else POOLED
        total = float(parts.sum())
        if total == 0:
            return cls(mean, 0.0, float(freedoms.sum()), EQUAL)
        shares = parts / total  # whose squares do not vanish, however small the values are
        return cls(mean, total**0.5, 1 / float((shares**2 / freedoms).sum()), note)


def _spread(values: Floats, strata: Ints | None) -> tuple[Floats, Ints]:
    groups = [values] if strata is None else [values[strata == c] for c in np.unique(strata)]
    sizes = np.array([len(group) for group in groups])
    return np.array([_variance(group) for group in groups]), sizes


def _variance(group: Floats) -> float:
    # Equal values must have no spread at all, whatever rounding their mean suffered.
    if len(group) == 1 or np.ptp(group) <= 1e-12 * np.abs(group).max():
        return 0.0
    return float(group.var(ddof=1))
