"""What is wrong with one setting of a configuration."""

from dataclasses import dataclass

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a setting, and what to do.

    An ``idle`` setting is merely of no use here: a cell of a matrix goes on without it.
    """

    setting: str
    message: str
    hint: str
    idle: bool = False
