"""How wide a text is, near enough: what is placed by hand must not meet anything."""

import unicodedata

__all__ = ["wide", "wrapped"]

# Shares of the font's size, of Arial and of what is as wide: counted a little high.
NARROW = frozenset("iljtfrI.,:;|!'()[]{}/\\ -·")
BROAD = frozenset("mwMW@%—…→")


def wide(text: str, size: float) -> float:
    """Return the width of a text in pixels."""
    return size * sum(map(_share, text))


def _share(letter: str) -> float:
    if letter in NARROW:
        return 0.34
    if letter in BROAD:
        return 0.98
    if not letter.isascii():
        return _foreign(letter)
    return 0.72 if letter.isupper() else 0.58


def _foreign(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    return 1.3 if unicodedata.east_asian_width(letter) in "WF" else 0.75


def wrapped(text: str, room: float, size: float, *, lines: int = 2) -> list[str]:
    """Break a text between words, or within one that is too long; a … is for the rest.

    >>> wrapped("where the words of a long name go in the end", 100, 11)
    ['where the words', 'of a long name…']
    """
    found: list[str] = []
    rest = text
    while rest and len(found) < lines:
        cut = _fitting(rest, room, size)
        space = rest.rfind(" ", 0, cut + 1)
        at = cut if cut == len(rest) or space <= cut // 2 else space
        found.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    if rest and found:
        last = found[-1] + "…"
        while len(last) > 1 and wide(last, size) > room:
            last = last[:-2].rstrip() + "…"
        found[-1] = last
    return found or [""]


def _fitting(text: str, room: float, size: float) -> int:
    """Count the letters that fit, one at least."""
    used = 0.0
    for at, letter in enumerate(text):
        used += size * _share(letter)
        if used > room:
            return max(at, 1)
    return len(text)
