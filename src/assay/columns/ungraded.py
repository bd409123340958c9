"""Judgments without a grade column: binary by intention, or a grade under an unknown title."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from assay.columns.header import shown
from assay.columns.titles import GRADE, KNOWN, plain, plain_titles
from assay.errors import InputError
from assay.text.near_miss import near_miss

__all__ = ["ROWS", "UnknownTitles", "ungraded"]

NOTE = "no grade column: every listed document counts as relevant (grade 1)"
NAME_IT = 'put the grades in a column named "grade"'
NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
# Numbers that are surely no grades.
ORDERS = (
    *("rank", "position", "index", "row", "no", "nr"),
    *("clicks", "clicked", "ctr", "impressions", "views"),
)
ID = re.compile(r"(?:\A|[\W_])(?:id|ID|Id)\Z|[a-z]I[dD]\Z|\AUnnamed: ")
ALIKE = 0.7  # share of letters in common, as difflib counts it
ROWS = 100  # that are looked at


@dataclass(frozen=True, slots=True)
class UnknownTitles:
    """The titles that nobody knows; ``meant`` is the one that could be the grade, if any.

    ``judges`` says that they may be the names of judges, as in a book of Quepid.
    """

    unknown: tuple[str, ...] = ()
    meant: str = ""
    judges: bool = False

    def notes(self, *, binary: bool, where: str) -> tuple[str, ...]:
        """Say that the judgments are binary; refuse them if a grade may have been overlooked."""
        if not self.unknown or binary:
            return (NOTE,)
        several = len(self.unknown) > 1
        columns = shown([f'"{title[:40]}"' for title in self.unknown])
        are = f"the columns {columns} are" if several else f"the column {columns} is"
        binary_ = "or add --binary (binary: true) if every listed document is relevant"
        guess = f'if "{self.meant[:40]}" is the grade, rename it to "grade"' if self.meant else ""
        book = "; if they are Quepid judges, add --format quepid_csv" if self.judges else ""
        hint = f"{guess or NAME_IT}, {binary_}{book}"
        raise InputError(f"no grade column, and {are} unknown", where=where, hint=hint)


def ungraded(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> UnknownTitles:
    """Find the unknown titles, and which of them is nearly called so or holds numbers.

    >>> ungraded(["query", "document", "owner", "stars"], [["a", "b", "me", "3"]])
    UnknownTitles(unknown=('owner', 'stars'), meant='stars', judges=False)
    """
    own = [at for at, title in enumerate(titles) if plain(title) and plain(title) not in KNOWN]
    unknown = tuple(titles[at] for at in own)
    near = [title for title in unknown if _is_near(title)]
    table = list(islice(rows, ROWS))
    cells = {at: [row[at] for row in table if at < len(row)] for at in own}
    counted = [titles[at] for at in own if not _is_order(titles[at]) and _number(cells[at])]
    book = plain_titles(titles[:2]) == ["query", "docid"] and counted == [*titles[2:]]
    return UnknownTitles(unknown, next(iter([*near, *counted]), ""), book)


def _is_order(title: str) -> bool:
    """Tell numbers that are surely no grades: of rows, clicks, or ids."""
    return plain(title) in ORDERS or bool(ID.search(title))


def _is_near(title: str) -> bool:
    return bool(near_miss(plain(title), plain_titles(GRADE), alike=ALIKE))


def _number(cells: Sequence[object]) -> bool:
    told = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
    return bool(told) and all(NUMBER.fullmatch(cell) for cell in told)
