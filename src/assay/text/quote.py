"""Names and texts in a sentence: always marked, for a name may be a word like any other."""

from assay.text.sanitize import sanitize

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
    line = sanitize(" ".join(text.split()))
    return f'"{line}"' if len(line) <= LONGEST else f'"{line[: LONGEST - 3]}..."'
