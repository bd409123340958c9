"""Which column of a table holds the query, the document and the number, by its title."""

import csv
from collections.abc import Sequence

from assay.columns.titles import DOCUMENT, FIELDS, GRADE, QUERY, plain, plain_titles
from assay.errors import InputError
from assay.text.join_list import first_named

__all__ = ["NOUNS", "find_columns", "first_line", "first_row", "has_header", "separator", "shown"]

NOUNS = {"key": "query", "text": "query", "grade": "grade"}
ANY_GRADE = "score"  # of a search, where another column is the grade
SEPARATORS = (",", ";", "\t")


def has_header(head: bytes, mark: str) -> bool:
    """Say whether the first line names a query and a document column."""
    titles = set(plain_titles(first_row(head, mark)))
    return all(titles & set(plain_titles(options)) for options in (QUERY, DOCUMENT))


def separator(head: bytes, marks: Sequence[str] = SEPARATORS) -> str:
    """Return what separates the titles of the first line; nothing where it has none."""
    return next((mark for mark in marks if has_header(head, mark)), "")


def first_row(head: bytes, mark: str) -> list[str]:
    """Return the cells of the first line, which may be in quotes."""
    line = first_line(head)
    try:
        return next(csv.reader([line], delimiter=mark), [])
    except csv.Error:
        return line.split(mark)


def first_line(head: bytes) -> str:
    """Return the first line that is not empty, whatever ends it."""
    text = head.decode("utf-8", "replace").lstrip("\ufeff\r\n")
    return text.replace("\r", "\n").partition("\n")[0]


def find_columns(
    titles: Sequence[str], wanted: Sequence[Sequence[str]], *, where: str
) -> list[int | None]:
    """Return the position of the first title that fits each wanted column.

    Only a grade may be missing: then its position is None.
    """
    clean = plain_titles(titles)
    return [_find(titles, clean, options, where) for options in wanted]


def _find(
    titles: Sequence[str], clean: Sequence[str], options: Sequence[str], where: str
) -> int | None:
    fits = [option for option in map(plain, options) if option in clean]
    if not fits and options == GRADE:
        return None
    if not fits:
        problem = f"no column named {' or '.join(options[:3])}"
        hint = f"the columns are: {shown(titles)}"
        raise InputError(problem, where=where, hint=hint)
    if clean.count(fits[0]) > 1:
        hint = "keep one of the two"
        raise InputError(f'duplicate column "{fits[0]}"', where=where, hint=hint)
    kind = FIELDS.get(fits[0], "")
    alike = [one for one in dict.fromkeys(fits) if FIELDS.get(one, "") == kind and one != ANY_GRADE]
    if kind and len(alike) > 1:
        hint = "rename or remove all but one"
        rivals = shown([titles[clean.index(one)] for one in alike])
        noun = NOUNS.get(kind, "document")
        raise InputError(f"several columns could hold the {noun}: {rivals}", where=where, hint=hint)
    return clean.index(fits[0])


def shown(titles: Sequence[str]) -> str:
    """List titles for a message, cut to what a person reads."""
    return first_named(titles, 20, show=lambda title: title[:40])
