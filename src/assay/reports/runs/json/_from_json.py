"""Intervals and uplifts as JSON has them -> the records they were."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Interval, Uplift

__all__ = ["interval", "number", "uplift"]


def number(value: float | None, *, beyond: float = math.inf) -> float:
    """Return a number; JSON says null where it is ``beyond`` all of them."""
    return beyond if value is None else float(value)


def interval(ends: Sequence[float | None] | None, note: str = "") -> Interval:
    """Return a range; an end that is null is not known."""
    low, high = ends or (None, None)
    return Interval(number(low, beyond=-math.inf), number(high), note=note)


def uplift(value: Mapping[str, Any]) -> Uplift:
    """Return what one ranking gains over another."""
    plain = ("queries", "baseline", "score", "difference", "relative", "p")
    counts = ("wins", "ties", "losses")
    return Uplift(
        interval=interval(value["ci"], value.get("ci_note", "")),
        **{key: value[key] for key in (*plain, *counts)},
    )
