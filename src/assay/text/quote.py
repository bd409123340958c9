"""Names and values in a sentence: always marked, for a name may be a word like any other."""

import json

from assay.text.sanitize import one_line, sanitize
from assay.text.truncate import cut_end

__all__ = ["quote", "quote_line", "quote_value"]

LONGEST = 60  # letters of a text that a message repeats


def quote(name: str) -> str:
    """Put a name in quotation marks.

    >>> f"{quote('hybrid')} scores best"
    '"hybrid" scores best'
    """
    return f'"{name}"'


def quote_line(text: str) -> str:
    """Put a text on one line, between quotation marks, and not too long.

    >>> quote_line("how do  I retry?")
    '"how do I retry?"'
    """
    return quote(cut_end(one_line(text), LONGEST, mark="..."))


def quote_value(value: object, longest: int = LONGEST) -> str:
    r"""Write a value as JSON does, not too long; what JSON cannot hold, as Python does.

    >>> print(quote_value("a\nb"), quote_value(None), quote_value([True, 0.5]))
    "a\nb" null [true, 0.5]
    """
    if isinstance(value, str):
        return quote(sanitize(cut_end(value, longest, mark="...")))
    if not (value is None or isinstance(value, bool | dict | list | tuple)):
        return cut_end(repr(value), longest, mark="...")
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):  # a key that is no text, or a list in itself
        text = repr(value)
    return cut_end(text, longest, mark="...")
