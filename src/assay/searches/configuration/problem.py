"""What is wrong with one setting of a configuration."""

from dataclasses import dataclass

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a setting, and what to do.

    ``message`` begins with "invalid" or "unknown", or with a verb whose subject is the setting. An
    ``idle`` setting has no effect: a combination of a matrix drops it.
    """

    setting: str
    message: str
    hint: str
    idle: bool = False
