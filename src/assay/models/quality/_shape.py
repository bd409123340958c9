"""What every figure has: how it is read, and vectors that were checked before they count."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from assay.errors import InputError
from assay.records.arrays import Floats
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["checked", "enough", "quality"]

F = TypeVar("F", bound=Callable[..., float])


def quality(reading: Reading) -> Callable[[F], F]:
    """Put beside a figure how it is read."""

    def add(measure: F) -> F:
        measure.reading = reading  # type: ignore[attr-defined]
        return measure

    return add


def checked(vectors: Vectors | Floats, *, least: int) -> Floats:
    """Bring rows to length 1 in float64, without those that have no direction."""
    rows: Floats = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2:
        raise InputError(
            f"invalid shape {rows.shape}", where="vectors", hint="expected one row per text"
        )
    lengths = np.sqrt(np.add.reduce(rows * rows, axis=1))
    if not np.isfinite(lengths).all():
        hint = "check the embedding model"
        raise InputError("a vector contains NaN or infinite values", where="vectors", hint=hint)
    kept: Floats = rows[lengths > 0] / lengths[lengths > 0, None]
    enough(len(kept), "non-zero vectors", least=least)
    return kept


def enough(count: int, what: str, *, least: int) -> None:
    """Refuse to tell anything from too few."""
    if count < least:
        problem = f"{count:,} {what} are not enough"
        raise InputError(problem, where="vectors", hint=f"at least {least} are required")
