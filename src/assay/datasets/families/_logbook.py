"""Logbooks: long documents of dated entries, in which single entries can be placed."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families._sentences import chatter, fill, say
from assay.datasets.families.lexicon.matter import Matter

__all__ = ["PARTS", "Entry", "Logbook", "lay_out"]

PARTS = ("start", "middle", "end")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: a matter told at length, or in one sentence among others."""

    matter: Matter
    brief: bool = False


@dataclass(slots=True)
class Logbook:
    """What a logbook holds, part by part; laid out, also where each entry stands."""

    parts: tuple[list[Entry], list[Entry], list[Entry]] = field(
        default_factory=lambda: ([], [], [])
    )
    text: str = ""
    places: dict[Entry, tuple[int, int]] = field(default_factory=dict)


def lay_out(book: Logbook, tokens: int, others: Sequence[Matter], chance: SeededRandom) -> None:
    """Write the text: each part gets further entries until all are long enough.

    ``places`` maps each entry to its line, from 1, and to the number of tokens before it.
    """
    written = [[(entry, _write(entry, chance)) for entry in part] for part in book.parts]
    longest = max(sum(len(text.split()) + 2 for _, text in part) for part in written)
    for part in written:
        length = sum(len(text.split()) + 2 for _, text in part)
        while length < max(longest, -(-tokens // len(PARTS))):
            entry = Entry(chance.pick(others))
            part.append((entry, _write(entry, chance)))
            length += len(part[-1][1].split()) + 2
    _join(book, [row for part in written for row in chance.shuffled(part)], chance)


def _write(entry: Entry, chance: SeededRandom) -> str:
    small_talk = [chatter(chance) for _ in range(3 + chance.below(3))]
    said = say(entry.matter, chance, words="any")
    if entry.brief:
        return " ".join([*small_talk[:2], said, *small_talk[2:]])
    details = chance.sample(entry.matter.domain.details, 3)
    return " ".join([said, *(fill(detail, chance) for detail in details), *small_talk[:2]])


def _join(book: Logbook, rows: Sequence[tuple[Entry, str]], chance: SeededRandom) -> None:
    """Date the entries, one line each with an empty line between, and note where they stand."""
    day = datetime.date(2021, 1, 1) + datetime.timedelta(days=chance.below(365))
    lines, before = [], 0
    for number, (entry, text) in enumerate(rows):
        lines.append(f"{day.day} {MONTHS[day.month - 1]}: {text}")
        book.places.setdefault(entry, (2 * number + 1, before))
        before += len(lines[-1].split())
        day += datetime.timedelta(days=1 + chance.below(3))
    book.text = "\n\n".join(lines)
