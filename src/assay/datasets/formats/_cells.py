"""Cells of a spreadsheet: read row by row, and written so that none is taken for a formula."""

import codecs
import csv
import re
from collections.abc import Iterator

from assay.datasets._place import Place
from assay.errors import InputError

__all__ = ["LONGEST", "guarded", "rows", "unguarded"]

LONGEST = 131_072  # characters of a cell: Python's csv reads no longer ones
# A spreadsheet runs what begins so (OWASP, "CSV injection"); an apostrophe in front makes it text.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
GUARDED = re.compile(r"'+[=+\-@\t\r]")


def guarded(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would run.

    >>> guarded("=1+1"), unguarded(guarded("=1+1"))
    ("'=1+1", '=1+1')
    """
    return f"'{text}" if FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """Take the apostrophe away again."""
    return cell[1:] if GUARDED.match(cell) else cell


def rows(place: Place, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that has any, with the line where it begins."""
    reader = csv.reader(_lines(place), delimiter=mark, strict=True)
    line = 1
    for cells in reader:
        if any(cells):
            yield line, cells
        line = reader.line_num + 1


def _lines(place: Place) -> Iterator[str]:
    """Decode a piece at a time; line ends stay, since a cell may hold some."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    rest: list[str] = []
    for piece in place.source.chunks(1 << 20):
        *whole, last = _decoded(decoder, piece, place.name).split("\n")
        for line in whole:
            yield "".join((*rest, line, "\n"))
            rest = []
        rest.append(last)
    rest.append(_decoded(decoder, b"", place.name, final=True))
    if any(rest):
        yield "".join(rest)


def _decoded(
    decoder: codecs.IncrementalDecoder, piece: bytes, where: str, *, final: bool = False
) -> str:
    try:
        return decoder.decode(piece, final)
    except UnicodeDecodeError:
        hint = 'save it as "CSV UTF-8"'
        raise InputError("text that is not UTF-8", where=where, hint=hint) from None
