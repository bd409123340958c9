"""The names that a chunk defines, those first that stand nearest to the lines that are shown."""

import re
from collections.abc import Sequence

__all__ = ["names"]

_QUALIFIER = re.compile(r"\.|::|#")
_WORD = re.compile(r"\w+")


def names(symbols: Sequence[str], text: str, shown: Sequence[int]) -> list[str]:
    r"""Order names by how far from the shown lines, counted from 0, they stand first.

    A name that is not written in the text comes last; the order of the rest stays.

    >>> names(["Session", "Session.open"], "class Session:\n\n    def open(self):", [2])
    ['Session.open', 'Session']
    """
    places: dict[str, int] = {}
    for at, line in enumerate(text.split("\n")):
        for word in _WORD.findall(line):
            places.setdefault(word, at)

    def far(symbol: str) -> float:
        at = places.get(_QUALIFIER.split(symbol)[-1])
        return min((abs(at - line) for line in shown), default=0) if at is not None else len(text)

    return sorted(symbols, key=far)
