"""A value with its interval, as short as it can be read."""

from collections.abc import Sequence

__all__ = ["between", "ci_of", "ranged"]


def ranged(value: float | None, ends: Sequence[float] | None, form: str = "+.3f") -> str:
    """Write a value and its ends.

    >>> ranged(0.1, [0.05, 0.15]), ranged(0.1, None), ranged(None, None)
    ('+0.100 [+0.050, +0.150]', '+0.100 [-]', '-')
    """
    if value is None:
        return "-"
    return f"{value:{form}} {between(ends, form)}"


def between(ends: Sequence[float] | None, form: str = "+.3f") -> str:
    """Write the ends alone; a dash where they are not known."""
    return "[-]" if not ends else f"[{ends[0]:{form}}, {ends[1]:{form}}]"


def ci_of(ends: Sequence[float] | None, form: str = "+.3f") -> str:
    """Write the interval as it follows a number in a sentence; nothing where it is not known.

    >>> ci_of([0.05, 0.15]), ci_of(None)
    (' (95% CI +0.050 to +0.150)', '')
    """
    return f" (95% CI {ends[0]:{form}} to {ends[1]:{form}})" if ends else ""
