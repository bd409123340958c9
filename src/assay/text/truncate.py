"""A value of any length -> as much of it as a message can show."""

import re

__all__ = ["truncate"]

VALUE = 300  # characters of one value: an id, a number, a path
WHOLE = 2_000  # characters of a message
LONG = re.compile(rf"\S{{{VALUE + 1},}}")


def truncate(text: str, *, whole: int = WHOLE) -> str:
    """Keep both ends of what is too long: of each word, then of the text.

    >>> truncate("grade " + "9" * 1_000_000)[:20], len(truncate("9" * 1_000_000))
    ('grade 99999999999999', 300)
    """
    if len(text) <= VALUE:
        return text
    return _middle(LONG.sub(lambda found: _middle(found[0], VALUE), text), whole)


def _middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail - 1]}…{text[-tail:]}"
