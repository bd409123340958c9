"""Scale: where a value lies between the least and the most, in percent of the width."""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Scale"]


@dataclass(frozen=True, slots=True)
class Scale:
    """A range of values, drawn with a little air on both sides."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Scale":
        """Return the range of some values.

        >>> Scale.of([0.0, 1.0]).at(0.5)
        50.0
        """
        known = list(values) or [0.0]
        air = (max(known) - min(known) or 1.0) * 0.04
        return cls(min(known) - air, max(known) + air)

    def at(self, value: float) -> float:
        """Return where a value lies."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)
