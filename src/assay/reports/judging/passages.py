"""The part of a document that a judge looks at: the lines that match, more of them, or all."""

from collections.abc import Iterator, Sequence

from assay.records import harmless
from assay.records.judging import Card, View
from assay.reports.judging._rows import broken

__all__ = ["passages", "seen_lines"]

SHOWN = {"few": (3, 1), "more": (10, 3)}  # matching lines, and lines around each
FIRST = {"few": 8, "more": 30}  # lines, where none matches
TAB = 4
LONGEST = 20_000  # characters of one line
MOST = 20_000  # lines


def passages(card: Card, view: View, *, width: int) -> list[str]:
    """Lay out numbered lines for a terminal of ``width`` columns; a long line takes several.

    Where lines are left out between two, a row says so. Nothing that a document holds can command
    the terminal.
    """
    chosen = _chosen(card, view)
    if not chosen:
        return broken("(the document is empty)", width)
    digits = len(str(chosen[-1]))
    rows: list[str] = []
    before = 0
    for number in chosen:
        if number > before + 1:
            rows.append(_left_out(number - before - 1, width))
        rows += _numbered(number, card.lines[number - 1], digits, width)
        before = number
    if before < len(card.lines):
        rows.append(_left_out(len(card.lines) - before, width))
    return rows


def seen_lines(card: Card, view: View) -> tuple[int, int] | None:
    """Return the first and the last line of a view; None where there is nothing to see."""
    chosen = _chosen(card, view)
    return (chosen[0], chosen[-1]) if chosen else None


def _chosen(card: Card, view: View) -> Sequence[int]:
    total = min(len(card.lines), MOST)
    if view == "all":
        return range(1, total + 1)
    number, around = SHOWN[view]
    best = card.best[:number]
    if not best:
        return range(1, min(total, FIRST[view]) + 1)
    kept = {line for at in best for line in range(at - around, at + around + 1)}
    return sorted(line for line in kept if 1 <= line <= total)


def _left_out(count: int, width: int) -> str:
    return f"... {count:,} line{'s' * (count > 1)} ..."[:width]


def _numbered(number: int, line: str, digits: int, width: int) -> Iterator[str]:
    """Put the number before the first row of a line."""
    text = harmless(line.rstrip("\r\n").expandtabs(TAB))
    cut = f"{text[:LONGEST]}..." if len(text) > LONGEST else text
    room = max(8, width - digits - 1)
    for at, row in enumerate(broken(cut, room)):
        start = f"{number:>{digits}} " if at == 0 else " " * (digits + 1)
        yield (start + row).rstrip()
