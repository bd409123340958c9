"""How sharp queries are: which difference between two runs they would show."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Sharpness"]


@dataclass(frozen=True, slots=True)
class Sharpness:
    """So many ``queries`` were asked; a difference up to ``margin`` is not worth telling.

    ``between`` gives, for the names of two runs, the smallest difference that is found four times
    out of five.
    """

    queries: int
    margin: float
    between: Callable[[str, str], float]
