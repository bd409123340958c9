"""How much lies between two bytes of a text: tokens, or characters that are not white."""

import re
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from assay.records import Bytes, Ints

__all__ = ["Ruler", "Span", "by_characters", "by_tokens"]

Span = tuple[int, int]
"""From the first byte to behind the last."""

# A token is a piece of a word of up to eight letters, up to three digits, a character of a script
# that puts no spaces between words, or any other mark. On English prose that is within a few
# percent of what WordPiece makes of it.
ALONE = "\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
TOKEN = re.compile(rf"[{ALONE}]|[^\W\d_{ALONE}]{{1,8}}|\d{{1,3}}|[^\w\s]|_")
# What is handed to a model's own counter: words, since it knows itself how to part them.
WORD = re.compile(rf"[{ALONE}]|[^\W_{ALONE}]{{1,24}}|[^\w\s]|_")

# What a byte counts as a character: white space nothing, nor what continues a character in UTF-8.
_COUNTED = np.ones(256, np.uint8)
_COUNTED[list(b" \t\n\r\x0b\x0c")] = 0
_COUNTED[0x80:0xC0] = 0


class Ruler:
    """Measures a text; every place that it finds itself is the start of a unit."""

    def __init__(self, data: bytes, units: Bytes | Ints) -> None:
        self.data = data
        self._sums = np.zeros(len(data) + 1, np.int64)
        np.cumsum(units, out=self._sums[1:])
        self._before = self._sums.data  # a number of it is ten times as fast as numpy's

    def size(self, start: int, end: int) -> int:
        """Count the units that begin in a span."""
        return int(self._before[end] - self._before[start])

    def reach(self, start: int, most: int) -> int:
        """Return how far a span of so many units can go, or of one if that alone is more."""
        end = self._last(self._before[start] + most)
        if end == len(self.data) or self.size(start, end):
            return end
        return self._last(self._before[end + 1])

    def first(self, start: int) -> int:
        """Return where the first unit from a place on begins."""
        return self._last(self._before[start])

    def back(self, end: int, units: int) -> int:
        """Return where so many units before a place begin."""
        return min(self._last(max(self._before[end] - units, 0)), end) if units else end

    def _last(self, units: int) -> int:
        """Return the last place before which there are no more than so many units."""
        return int(np.searchsorted(self._sums, units, side="right")) - 1

    def cut(self, start: int, end: int, most: int) -> Iterator[Span]:
        """Cut a span between lines where it can be, else between words, else anywhere."""
        while self.size(start, end) > most:
            place = self._place(start, min(self.reach(start, most), end))
            yield start, place
            start = place
        yield start, end

    def _place(self, start: int, end: int) -> int:
        """Return the best place to end a span that may go no further than to a place."""
        half = start + (end - start) // 2
        for mark, least in ((b"\n", start), (b" ", half), (b"\t", half)):
            place = self.data.rfind(mark, least, end) + 1
            if place > least:
                return place
        return end


def by_characters(data: bytes) -> Ruler:
    """Measure a text in characters that are not white space."""
    return Ruler(data, _COUNTED[np.frombuffer(data, np.uint8)])


def by_tokens(data: bytes, count: Callable[[str], int] | None = None) -> Ruler:
    """Measure a text in tokens: by rule, or as a model counts the tokens of each word."""
    text = data.decode()
    units = np.zeros(len(data), np.int64)
    # Where each character begins, for a text that has longer ones than a byte.
    places = None if len(text) == len(data) else _starts(data)
    starts = [found.start() for found in (WORD if count else TOKEN).finditer(text)]
    at = np.array(starts, np.int64) if places is None else places[starts]
    units[at] = 1 if count is None else [_counted(count)(word) for word in WORD.findall(text)]
    return Ruler(data, units)


def _starts(data: bytes) -> Ints:
    return np.flatnonzero((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)


@cache
def _counted(count: Callable[[str], int]) -> Callable[[str], int]:
    """Count a word's tokens, without those that a model puts around any text, each word once."""
    around = count("")
    return cache(lambda word: max(count(word) - around, 0))
