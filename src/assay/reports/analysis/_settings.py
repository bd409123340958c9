"""Values of a setting, as a sentence or a table has them."""

from collections.abc import Mapping
from typing import Any

__all__ = ["value_of", "values_of"]


def value_of(value: object) -> str:
    """Write one value.

    >>> value_of(True), value_of(0.5), value_of([1, 2])
    ('true', '0.5', '1/2')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "/".join(map(value_of, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def values_of(parameter: Mapping[str, Any]) -> str:
    """List the values between which an effect was measured, each once."""
    effects = parameter["effects"]
    each = [one[end] for one in effects for end in ("from", "to")]
    return ", ".join(dict.fromkeys(map(value_of, each)))
