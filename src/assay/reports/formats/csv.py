"""CSV: the values themselves, at full precision, and no text that a spreadsheet would execute."""

import re
from collections.abc import Sequence

from assay.records import Cell, Table

__all__ = ["csv"]

FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
QUOTED = re.compile(r'[",\r\n]')


def csv(tables: list[Table]) -> bytes:
    """Write the main table as CSV.

    A text that a spreadsheet would take for a formula gets an apostrophe before it, as does one
    with apostrophes before that: without the first apostrophe it is the text again.
    """
    lines = [_line(row) for row in (tables[0].titles, *tables[0].rows)]
    return "".join(lines).encode(errors="backslashreplace")


def _line(row: Sequence[Cell]) -> str:
    # Python's writer would leave a carriage return without quotation marks.
    fields = ",".join(map(_field, row))
    return f"{fields}\n" if fields else '""\n'


def _field(cell: Cell) -> str:
    text = "" if cell is None else str(cell)
    if isinstance(cell, str) and FORMULA.match(cell) and not NUMBER.fullmatch(cell):
        text = f"'{cell}"
    return f'"{text.replace(chr(34), 2 * chr(34))}"' if QUOTED.search(text) else text
