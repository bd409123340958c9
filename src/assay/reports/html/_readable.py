"""Text that others wrote, as a page shows it: control characters are spelled out."""

from typing import Any

from assay.text import sanitize

__all__ = ["readable"]


def readable(value: Any) -> Any:  # noqa: ANN401 - whatever a template shows
    r"""Spell out control characters and changes of direction; markup of our own stays.

    >>> readable("a" + chr(0x202e) + "b")
    'a\\u202eb'
    """
    return sanitize(value, keep="\n\t") if type(value) is str else value
