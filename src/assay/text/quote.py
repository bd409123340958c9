"""Names and texts in a sentence: always marked, for a name may be a word like any other."""

from assay.text.sanitize import one_line
from assay.text.truncate import cut_end

__all__ = ["quote", "quote_line"]

LONGEST = 60  # letters of a text that a message repeats


def quote(name: str) -> str:
    """Put a name in quotation marks.

    >>> f"{quote('both')} scores best"
    '"both" scores best'
    """
    return f'"{name}"'


def quote_line(text: str) -> str:
    """Put a text on one line, between quotation marks, and not too long.

    >>> quote_line("how do  I retry?")
    '"how do I retry?"'
    """
    return quote(cut_end(one_line(text), LONGEST, mark="..."))
