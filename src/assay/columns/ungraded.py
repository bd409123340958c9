"""Judgments without a grade column: binary by intention, or a grade under an unknown title."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.columns.grade_values import (
    GRADING,
    NUMBER,
    is_grade_title,
    is_graded_remark,
    is_logged,
    is_remark,
    may_be_grades,
    numbers_rows,
)
from assay.columns.header import shown
from assay.columns.titles import COUNTS, GRADE, KNOWN, plain, plain_titles
from assay.errors import InputError
from assay.text.near_miss import near_miss

__all__ = ["UnknownTitles", "is_examined", "ungraded"]

NOTE = "no grade column: every listed document counts as relevant (grade 1)"
NAME_IT = 'put the grades in a column named "grade"'
BINARY = "or add --binary (binary: true) if every listed document is relevant"
ALIKE = 0.8  # share of letters in common, as difflib counts it
LONG = 4  # words of a text that is no grade, whatever its title


@dataclass(frozen=True, slots=True)
class UnknownTitles:
    """The titles that may hold the grade; ``meant`` is the likeliest, if any.

    ``ignored`` are those that hold no grades and that nobody knows. ``judges`` says that they may
    be the names of judges, as in a book of Quepid.
    """

    unknown: tuple[str, ...] = ()
    meant: str = ""
    judges: bool = False
    ignored: tuple[str, ...] = ()

    def notes(self, *, binary: bool, where: str, noun: str = "column") -> tuple[str, ...]:
        """Say that the judgments are binary; refuse them if a grade may have been overlooked.

        ``noun`` is what a title belongs to: a column of a table, or a key of records.
        """
        note = NOTE.replace("column", noun)
        if binary:
            return (note,)
        if self.unknown:
            raise InputError(self._problem(noun), where=where, hint=self._hint(noun))
        if not self.ignored:
            return (note,)
        is_ = "is" if len(self.ignored) == 1 else "are"
        return (f"{_named(self.ignored, noun)} {is_} not used", note)

    def _problem(self, noun: str) -> str:
        orders = not self.meant and all(map(is_logged, self.unknown))
        s = "s" if len(self.unknown) == 1 else ""
        what = f"belong{s} to a run or a log" if orders else "may contain grades"
        return f"no grade {noun}, and {_named(self.unknown, noun)} {what}"

    def _hint(self, noun: str) -> str:
        guess = f'if "{self.meant[:40]}" is the grade, rename it to "grade"' if self.meant else ""
        if plain(self.meant) in plain_titles(COUNTS):
            guess = f'if "{self.meant[:40]}" is how often a query is asked, rename it to "weight"'
        book = "; if they are Quepid judges, add --format quepid_csv" if self.judges else ""
        return f"{guess or NAME_IT.replace('column', noun)}, {BINARY}{book}"


def _named(titles: Sequence[str], noun: str) -> str:
    named = shown([f'"{title[:40]}"' for title in titles])
    return f"the {noun}{'s' if len(titles) > 1 else ''} {named}"


def is_examined(title: str) -> bool:
    """Tell whether grades may be below a title: nobody knows it, or it may hold anything."""
    name = plain(title)
    return bool(name) and (name in GRADING or name not in KNOWN or is_remark(title))


def ungraded(titles: Sequence[str], values: Mapping[int, Iterable[object]]) -> UnknownTitles:
    """Find the unknown titles, and which of them is nearly called so or holds grades.

    ``values`` are those below each title that is examined, by its position.

    >>> ungraded(["query", "document", "owner", "stars"], {2: ["me"], 3: ["3"]})
    UnknownTitles(unknown=('stars',), meant='stars', judges=False, ignored=('owner',))
    """
    cells = {at: _filled(some) for at, some in values.items()}
    near = [at for at in cells if _is_near(titles[at]) and not _are_long(cells[at])]
    graded = [at for at in cells if at not in near and _is_graded(titles[at], cells[at])]
    meant = [titles[at] for at in (*near, *graded) if not is_logged(titles[at])]
    unknown = tuple(titles[at] for at in sorted((*near, *graded)))
    own = [titles[at] for at in cells if titles[at] not in unknown]
    ignored = tuple(one for one in own if plain(one) not in GRADING and not is_remark(one))
    book = plain_titles(titles[:2]) == ["query", "docid"] and len(graded) == len(titles[2:])
    judges = book and all(_are_numbers(cells[at]) for at in graded)
    return UnknownTitles(unknown, next(iter(meant), ""), judges, ignored)


def _filled(values: Iterable[object]) -> list[object]:
    """Leave out nothing, which a frame may write as a number that is not equal to itself."""
    return [one for one in values if one is not None and one == one and str(one).strip()]  # noqa: PLR0124


def _is_near(title: str) -> bool:
    near = near_miss(plain(title), plain_titles(GRADE), alike=ALIKE)
    return is_grade_title(title) or (bool(near) and not numbers_rows(title))


def _are_long(values: Sequence[object]) -> bool:
    return bool(values) and all(len(str(one).split()) >= LONG for one in values)


def _is_graded(title: str, values: Sequence[object]) -> bool:
    if is_remark(title):
        return is_graded_remark(title, values)
    return may_be_grades(values) and not numbers_rows(title)


def _are_numbers(values: Sequence[object]) -> bool:
    return bool(values) and all(NUMBER.fullmatch(str(one).strip()) for one in values)
