"""What the settings of families may be."""

from assay.errors import InputError

__all__ = ["at_least", "at_most"]


def at_least(low: float, **settings: float) -> None:
    """Refuse settings below a bound."""
    for name, value in settings.items():
        if not value >= low:  # also refuses NaN
            raise InputError(f"{name}={value} is too small", hint=f"give at least {low}")


def at_most(high: float, why: str, **settings: float) -> None:
    """Refuse settings above a bound, and say what sets it."""
    for name, value in settings.items():
        if not value <= high:
            raise InputError(f"{name}={value} is too large: {why}", hint=f"give at most {high}")
