"""Turn what a caller hands over into finite numbers, or say what is wrong with it."""

import numpy as np

from assay.errors import InputError, UsageError
from assay.records import Floats, Ints

__all__ = ["sample"]


def sample(
    values: Floats,
    *,
    strata: Ints | None = None,
    weights: Floats | None = None,
    what: str = "values",
) -> Floats:
    """Return one row per query, one column per series; refuse emptiness, NaN and infinity."""
    rows = np.asarray(values, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2:
        raise UsageError(f"{what} must have one row per query, got {rows.ndim} dimensions")
    if rows.size == 0:
        raise InputError(f"no {what} given", hint="give at least one query")
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        hint = "score a failed or empty query 0, or omit it"
        raise InputError(f"{what}: row {row} is not a finite number", hint=hint)
    if strata is not None and np.shape(strata) != (len(rows),):
        hint = "give one collection per query"
        raise UsageError(f"{len(rows)} {what} but {np.size(strata)} strata", hint=hint)
    if weights is not None:
        _refuse_weights(weights, len(rows), what)
    return rows


def _refuse_weights(weights: Floats, rows: int, what: str) -> None:
    if np.shape(weights) != (rows,):
        hint = "give one weight per query"
        raise UsageError(f"{rows} {what} but {np.size(weights)} weights", hint=hint)
    if not (np.isfinite(weights) & (weights > 0)).all():
        raise InputError("a weight is not a number above 0", hint="omit queries that nobody asks")
