"""Numbers that make no index are refused before one is built."""

from assay.errors import InputError

__all__ = ["check_positive"]


def check_positive(**settings: int) -> None:
    """Refuse a setting below one."""
    for name, value in settings.items():
        if value < 1:
            raise InputError(f"{name} is {value}", where="dense", hint="it counts from 1")
