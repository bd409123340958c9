"""The part of a document that a judge looks at: all, or its beginning and the rows that match."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from assay.records.judging import Card, View
from assay.reports.judging.lead import lead, signature
from assay.text import sanitize
from assay.text.truncate import cut_end
from assay.text.wrap import wrap

__all__ = ["Passage", "matching", "passages", "seen_lines"]

ROOMS = {"few": 1, "more": 3}  # windows that a view fills
USUAL = (80, 14)  # columns and rows that a document has in a window of 80 x 24
TRIED = 60  # rows that match, and are tried one after the other
AROUND = (1, 0, 3, 9)  # rows around those that match, as long as there is room
SHORT = 4  # rows of a line that is shown whole or not at all
TAB = 4
LONGEST = 20_000  # characters of one line
MOST = 20_000  # lines
WORD = re.compile(r"[^\W_]+")
PARTS = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+|[^\W\d_A-Za-z]+")
LONG = 4  # letters from which the beginning of a word stands for its forms
READ = 20_000  # lines that are looked at


@dataclass(frozen=True, slots=True)
class Passage:
    """A row for the terminal, and the line that it is of; 0 where it tells what is left out."""

    text: str
    line: int = 0


def passages(card: Card, view: View, *, width: int, room: int) -> list[Passage]:
    """Lay out numbered lines for ``room`` rows of ``width`` columns; a long line takes several.

    A document that fits is shown whole, any other by its title and first paragraph and the rows
    that match the query best. Where more than one row is left out, a row says so. Nothing that a
    document holds can command the terminal.
    """
    lines = card.lines[:MOST]
    if not any(line.strip() for line in lines):
        return [Passage(row) for row in wrap(card.empty, width)]
    digits = len(str(len(lines)))
    rows = _rows(lines, max(8, width - digits - 1))
    kept = _kept(card.text, rows, room * ROOMS.get(view, len(rows)))
    return [*_joined(rows, kept, digits, width)]


def seen_lines(card: Card, view: View) -> tuple[int, int] | None:
    """Return the first and the last line of a view, as a usual window shows it."""
    shown = passages(card, view, width=USUAL[0], room=USUAL[1])
    lines = [one.line for one in shown if one.line]
    return (lines[0], lines[-1]) if lines else None


@lru_cache(maxsize=4)  # each key that is pressed draws the document again
def _rows(lines: Sequence[str], room: int) -> tuple[Passage, ...]:
    found = []
    for number, line in enumerate(lines, 1):
        text = sanitize(line.rstrip("\r\n").expandtabs(TAB))
        rows = wrap(cut_end(text, LONGEST, mark="..."), room)
        found += [Passage(row.rstrip(), number) for row in rows]
    return tuple(found)


def _kept(query: str, rows: Sequence[Passage], room: int) -> Sequence[int]:
    """Number the rows that are shown: the beginning, what matches best, and what still fits."""
    if len(rows) <= room:
        return range(len(rows))
    texts = [one.text for one in rows]
    kept = _whole(lead(texts, most=max(2, room // 3)), rows)
    kept = kept if _fits(kept, rows, room) else {0}
    best = [at - 1 for at in matching(query, texts)[:TRIED]]
    for around in AROUND:
        for at in best:
            near = _whole(range(max(0, at - around), min(len(rows), at + around + 1)), rows)
            named = {*signature(texts, at)}
            for wider in (kept | near | named, kept | {at} | named, kept | near):
                if _fits(wider, rows, room):
                    kept = wider
                    break
    for at in range(len(rows)):
        if not _fits(kept | {at}, rows, room):
            break
        kept |= {at}
    return _closed(kept, len(rows))


def _whole(kept: Collection[int], rows: Sequence[Passage]) -> set[int]:
    """Add the rest of lines that are not long."""
    near = {at + by for at in kept for by in range(1 - SHORT, SHORT) if 0 <= at + by < len(rows)}
    size = Counter(rows[at].line for at in near)
    lines = {rows[at].line for at in kept}
    return {*kept} | {at for at in near if rows[at].line in lines and size[rows[at].line] <= SHORT}


def _fits(kept: Collection[int], rows: Sequence[Passage], room: int) -> bool:
    closed = _closed(kept, len(rows))
    ends = (closed[0] > 0) + (closed[-1] < len(rows) - 1)
    gaps = sum(later - one > 1 for one, later in pairwise(closed))
    return len(closed) + gaps + ends <= room


def _closed(kept: Collection[int], total: int) -> list[int]:
    """Add the rows that stand alone between others: to leave one out takes a row as well."""
    closed = []
    before = -1
    for at in [*sorted(kept), total]:
        if at - before == 2:
            closed.append(at - 1)
        closed.append(at)
        before = at
    return closed[:-1]


def _joined(
    rows: Sequence[Passage], kept: Sequence[int], digits: int, width: int
) -> Iterator[Passage]:
    """Put numbers before lines, and say what is left out between them."""
    before, line = -1, 0
    for at in [*kept, len(rows)]:
        if at > before + 1:
            yield Passage(_left_out(rows, before + 1, at)[:width])
            line = 0
        if at < len(rows):
            start = f"{rows[at].line:>{digits}}" if rows[at].line != line else " " * digits
            yield Passage(f"{start} {rows[at].text}".rstrip(), rows[at].line)
            before, line = at, rows[at].line


def _left_out(rows: Sequence[Passage], start: int, end: int) -> str:
    """Count the lines of which nothing is shown."""
    beside = {rows[at].line for at in (start - 1, end) if 0 <= at < len(rows)}
    count = len({one.line for one in rows[start:end]} - beside)
    return f"... {count:,} lines ..." if count > 1 else "..."


def matching(query: str, lines: Sequence[str]) -> tuple[int, ...]:
    """Number the lines that share a word with the query, starting at 1, the best first.

    A rare word counts more than one that stands everywhere (its inverse document frequency, with
    lines for documents); a line counts with its neighbours, since a sentence has several.

    >>> matching("retry a request", ["import time", "def retry():", "send the request again"])
    (2, 3, 1)
    """
    wanted = _words(query)
    found = [_words(line) & wanted for line in lines[:READ]]
    counts = Counter(word for words in found for word in words)
    worth = {word: math.log(1 + len(found) / count) for word, count in counts.items()}
    own = [sum(worth[word] for word in sorted(words)) for words in found]
    around = [
        own[at] + 0.25 * sum(own[near] for near in (at - 1, at + 1) if 0 <= near < len(own))
        for at in range(len(own))
    ]
    order = sorted(range(len(own)), key=lambda at: (-around[at], at))
    return tuple(at + 1 for at in order if around[at] > 0)


def _words(text: str) -> set[str]:
    """Take words, and the parts of names in code, down to the beginnings that their forms share."""
    parts = (part for word in WORD.findall(text) for part in PARTS.findall(word) or [word])
    return {_stem(part.casefold()) for part in parts}


def _stem(word: str) -> str:
    return word if len(word) <= LONG else word[: max(LONG, len(word) - 3)]
