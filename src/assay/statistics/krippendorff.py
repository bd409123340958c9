"""Krippendorff's alpha: how far any number of judges agree, also where some gave no grade."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from assay.errors import InputError, UsageError
from assay.records import Coefficient, Floats
from assay.text.quote import quote_value

__all__ = ["krippendorff"]

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff(
    judges: Sequence[Sequence[float | None]], *, level: Level = "ordinal"
) -> Coefficient:
    """Return 1 - observed / expected disagreement: Krippendorff (2011), sections D and E.

    ``judges`` has one row of grades per judge, with None where a judge gave none; a thing with
    fewer than two grades counts for nothing. ``level`` says what a difference means: that grades
    are not the same, how many grades lie between, or by how much they differ.
    """
    if level not in ("nominal", "ordinal", "interval"):
        hint = "expected 'nominal', 'ordinal' or 'interval'"
        raise UsageError(f"level: invalid value {quote_value(level)}", hint=hint)
    if len({len(row) for row in judges}) > 1:
        hint = "give one grade, or None, per item and judge"
        raise InputError("the judges have rows of different lengths", hint=hint)
    units = [[grade for grade in unit if grade is not None] for unit in zip(*judges, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    if not units:
        return Coefficient(None, note="the judges have no judgments in common")
    values = sorted({grade for unit in units for grade in unit})
    if len(values) == 1:
        return Coefficient(None, note="all judges gave the same grade to all items")
    return Coefficient(_alpha(_coincidences(units, values), values, level))


def _coincidences(units: Sequence[Sequence[float]], values: Sequence[float]) -> Floats:
    """Count the pairs of grades within each thing, divided by its number of grades less one."""
    place = {value: at for at, value in enumerate(values)}
    table = np.zeros((len(values), len(values)))
    for unit in units:
        counts = np.bincount([place[grade] for grade in unit], minlength=len(values))
        table += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return table


def _alpha(table: Floats, values: Sequence[float], level: Level) -> float:
    totals = table.sum(axis=1)
    number = totals.sum()
    distance = _distance(totals, values, level)
    expected = float(totals @ distance @ totals) / float(number - 1)
    return 1 - float((table * distance).sum()) / expected


def _distance(totals: Floats, values: Sequence[float], level: Level) -> Floats:
    """Return the squared difference of each pair of values."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    # Ordinal: how many grades were given between the middles of two values.
    middles = np.cumsum(totals) - totals / 2
    numbers = np.array(values, float) if level == "interval" else middles
    squared: Floats = (numbers[:, None] - numbers) ** 2
    return squared
