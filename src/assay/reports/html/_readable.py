"""Texts that others wrote, as a page shows them: what steers a screen is spelled out."""

from typing import Any

from assay.reports.spelled import spelled

__all__ = ["readable"]

KEPT = "\n\t\u200c\u200d"  # line breaks, and the joiners that scripts and emoji are written with
SPACES = ("\u00a0", "\u2009", "\u202f", "\u3000")  # are no printable characters to Python


def readable(value: Any) -> Any:  # noqa: ANN401 - whatever a template shows
    r"""Spell out control characters and changes of direction; markup of our own stays.

    >>> readable("a" + chr(0x202e) + "b")
    'a\\u202eb'
    """
    if type(value) is not str or value.isprintable():
        return value
    return "".join(c if c in KEPT or c in SPACES else spelled(c) for c in value)
