"""Cells of a spreadsheet: read row by row, and written so that none is taken for a formula."""

import codecs
import csv
from collections.abc import Iterable, Iterator
from typing import Literal

from assay.columns import Source
from assay.errors import InputError

__all__ = ["LONGEST", "guarded", "rows", "unguarded"]

LONGEST = 131_072  # characters of a cell: Python's csv reads no longer ones
# A spreadsheet runs what begins so (OWASP, "CSV injection"); an apostrophe in front makes it text.
FORMULA = ("=", "+", "-", "@")
LINE_FEED, RETURN = b"\n", b"\r"


def guarded(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would run, or what would be trimmed.

    >>> guarded("=1+1"), unguarded(guarded("=1+1")), unguarded(guarded(" a "))
    ("'=1+1", '=1+1', ' a ')
    """
    return f"'{text}" if _needs_guard(text) else text


def unguarded(cell: str) -> str:
    """Take the apostrophe away again; without one, blanks around the cell mean nothing.

    >>> unguarded(" d1 ")
    'd1'
    """
    if not cell.startswith("'"):
        return cell.strip()
    return cell[1:] if _needs_guard(cell) else cell.strip()


def _needs_guard(text: str) -> bool:
    bare = text.lstrip("'")
    return bare.startswith(FORMULA) or bare != bare.strip()


def rows(source: Source, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that has any, with the line where it begins.

    Beside tabs quotation marks may be letters like any other: they are, where they do not fit.
    """
    if mark != "\t":
        yield from _cells(_lines(source), mark, csv.QUOTE_MINIMAL)
        return
    lines = list(_lines(source))
    try:
        table = list(_cells(lines, mark, csv.QUOTE_MINIMAL))
        fits = _is_quoted(source) or not any(map(_is_swallowed, table))
    except csv.Error:
        fits = False
    yield from table if fits else _cells(lines, mark, csv.QUOTE_NONE)


def _is_quoted(source: Source) -> bool:
    """Tell whether a spreadsheet program wrote the file, with quotes where they are needed."""
    return source.wide or source.head().lstrip().startswith(b'"')


def _is_swallowed(row: tuple[int, list[str]]) -> bool:
    """Tell whether quotes joined several cells, or lines, to one."""
    return any("\t" in cell or "\n" in cell for cell in row[1])


def _cells(
    lines: Iterable[str], mark: str, quoting: Literal[0, 3]
) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(
        lines,
        delimiter=mark,
        strict=True,
        skipinitialspace=mark != "\t",
        quoting=quoting,
    )
    line = 1
    for cells in reader:
        if any(map(str.strip, cells)):
            yield line, cells
        line = reader.line_num + 1


def _lines(source: Source) -> Iterator[str]:
    """Decode a piece at a time; line ends stay, since a cell may hold some."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    # Old programs end lines with a carriage return alone.
    old = LINE_FEED not in source.head() and RETURN in source.head()
    rest: list[str] = []
    for piece in source.chunks(1 << 20):
        text = piece.replace(RETURN, LINE_FEED) if old else piece
        *whole, last = _decoded(decoder, text, source.name).split("\n")
        for line in whole:
            yield "".join((*rest, line, "\n"))
            rest = []
        rest.append(last)
    rest.append(_decoded(decoder, b"", source.name, final=True))
    if any(rest):
        yield "".join(rest)


def _decoded(
    decoder: codecs.IncrementalDecoder, piece: bytes, where: str, *, final: bool = False
) -> str:
    try:
        return decoder.decode(piece, final)
    except UnicodeDecodeError:
        hint = 'save the file as "CSV UTF-8"'
        raise InputError("the text is not valid UTF-8", where=where, hint=hint) from None
