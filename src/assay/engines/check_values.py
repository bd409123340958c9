"""Validate settings before a search starts."""

from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["check_count", "check_share", "check_switch"]


def check_count(value: int, *, where: str, least: int = 1) -> None:
    """Refuse a count below ``least``."""
    if value < least:
        hint = f"expected a whole number >= {least}"
        raise InputError(f"invalid value {value}", where=where, hint=hint)


def check_share(value: float, *, where: str) -> None:
    """Refuse a number outside of 0 to 1, and NaN."""
    if not 0 <= value <= 1:
        hint = "expected a number from 0 to 1"
        raise InputError(f"invalid value {value}", where=where, hint=hint)


def check_switch(value: object, *, where: str) -> None:
    """Refuse anything but a boolean: a text such as "false" would count as true."""
    if not isinstance(value, bool):
        raise InputError(
            f"invalid value {quote_value(value)}", where=where, hint="expected true or false"
        )
