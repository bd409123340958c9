"""Numbers that make no search are refused before one is run."""

from assay.errors import InputError

__all__ = ["check_count", "check_share", "check_switch"]


def check_count(value: int, *, where: str, least: int = 1) -> None:
    """Refuse what does not count from 1, or from what is the least."""
    if value < least:
        raise InputError(f"{where} is {value}", where=where, hint=f"it is a number from {least}")


def check_share(value: float, *, where: str) -> None:
    """Refuse what does not lie between 0 and 1 (a NaN lies nowhere)."""
    if not 0 <= value <= 1:
        raise InputError(f"{where} is {value}", where=where, hint="it lies between 0 and 1")


def check_switch(value: object, *, where: str) -> None:
    """Refuse what is neither true nor false: a text such as "false" would count as true."""
    if not isinstance(value, bool):
        raise InputError(f"{where} is {value!r}", where=where, hint="it is true or false")
