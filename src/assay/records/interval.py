"""A range that holds the true value with a stated confidence."""

from dataclasses import dataclass

__all__ = ["Interval"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that holds the true value with the stated confidence.

    ``note`` says what a reader must know, e.g. that all values were equal.
    """

    low: float
    high: float
    level: float = 0.95
    note: str = ""
