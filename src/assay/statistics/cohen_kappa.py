"""Cohen's kappa: how far two judges agree beyond what chance alone would give."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from assay.errors import InputError, UsageError
from assay.records import Coefficient, Floats, Interval
from assay.text.quote import quote_value

__all__ = ["cohen_kappa"]

Weights = Literal["none", "linear", "quadratic"]


def cohen_kappa(
    first: Sequence[int],
    second: Sequence[int],
    *,
    weights: Weights = "none",
    scale: Sequence[int] = (),
    level: float = 0.95,
) -> Coefficient:
    """Compare two judges' grades of the same things: Cohen (1960), weighted: Cohen (1968).

    ``weights`` counts a disagreement by its distance on the scale or the square of it, else every
    disagreement alike. The interval uses the standard error of Fleiss, Cohen and Everitt
    (Psychological Bulletin 1969, formula 14), which holds for large samples. Grades that neither
    judge used change nothing; ``scale`` may name them all the same.
    """
    if weights not in ("none", "linear", "quadratic"):
        hint = "expected 'none', 'linear' or 'quadratic'"
        raise UsageError(f"weights: invalid value {quote_value(weights)}", hint=hint)
    if len(first) != len(second):
        hint = "give the grades of both judges for the same items, in the same order"
        raise InputError(f"{len(first):,} and {len(second):,} grades cannot be paired", hint=hint)
    if not first:
        return Coefficient(None, note="the judges have no judgments in common")
    grades = sorted({*first, *second, *scale})
    if len({*first, *second}) == 1:
        return Coefficient(None, note="both judges gave the same grade to all items")
    if all(one == other for one, other in zip(first, second, strict=True)):
        return Coefficient(1.0, Interval(1.0, 1.0, level, "the judges agree on all items"))
    table = _table(first, second, grades)
    return _kappa(table, _agreement(grades, weights), pairs=len(first), level=level)


def _table(first: Sequence[int], second: Sequence[int], grades: Sequence[int]) -> Floats:
    """Return the share of each pair of grades."""
    place = {grade: at for at, grade in enumerate(grades)}
    table = np.zeros((len(grades), len(grades)))
    np.add.at(table, ([place[grade] for grade in first], [place[grade] for grade in second]), 1)
    return table / len(first)


def _agreement(grades: Sequence[int], weights: Weights) -> Floats:
    """Return how far each pair of grades agrees, from 0 to 1."""
    if weights == "none":
        return np.eye(len(grades))
    values = np.array(grades, float)
    distance: Floats = np.abs(values[:, None] - values) / (values[-1] - values[0])
    return 1 - (distance if weights == "linear" else distance * distance)


def _kappa(table: Floats, agreement: Floats, *, pairs: int, level: float) -> Coefficient:
    from scipy.special import ndtri  # scipy only where a quantile is needed

    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed = float((agreement * table).sum())
    expected = float(rows @ agreement @ columns)
    kappa = (observed - expected) / (1 - expected)
    by_chance = (agreement @ columns)[:, None] + rows @ agreement
    spread = float((table * (agreement - by_chance * (1 - kappa)) ** 2).sum())
    variance = spread - (kappa - expected * (1 - kappa)) ** 2
    error = math.sqrt(max(variance, 0) / pairs) / (1 - expected)
    reach = float(ndtri((1 + level) / 2)) * error
    interval = Interval(max(kappa - reach, -1.0), min(kappa + reach, 1.0), level)
    return Coefficient(kappa, interval)
