"""The part of a document that a judge looks at: all, or its beginning and the rows that match."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from assay.records.judging import Card, View
from assay.reports.judging._rows import broken
from assay.reports.judging.lead import lead, signature
from assay.reports.judging.matching import matching
from assay.text import sanitize

__all__ = ["Passage", "passages", "seen_lines"]

ROOMS = {"few": 1, "more": 3}  # windows that a view fills
USUAL = (80, 14)  # columns and rows that a document has in a window of 80 x 24
TRIED = 60  # rows that match, and are tried one after the other
AROUND = (1, 0, 3, 9)  # rows around those that match, as long as there is room
SHORT = 4  # rows of a line that is shown whole or not at all
TAB = 4
LONGEST = 20_000  # characters of one line
MOST = 20_000  # lines


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
        return [Passage(row) for row in broken("(the document is empty)", width)]
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
        cut = f"{text[:LONGEST]}..." if len(text) > LONGEST else text
        found += [Passage(row.rstrip(), number) for row in broken(cut, room)]
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
