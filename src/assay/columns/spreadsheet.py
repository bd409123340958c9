"""Text with separators and quotes -> its titles and rows, each with its line."""

import csv
import io
from dataclasses import dataclass

from assay.columns.decimal_comma import DECIMAL_POINT, has_decimal_comma
from assay.columns.faults import Faults
from assay.columns.files.source import Source
from assay.errors import InputError
from assay.text.count_noun import count_noun

__all__ = ["Spreadsheet", "spreadsheet"]

NAMES = {",": "a comma", ";": "a semicolon", "\t": "a tab"}


@dataclass(frozen=True, slots=True)
class Spreadsheet:
    """The cells below the titles, and the line at which each row begins.

    ``faults`` has the rows that were left out, for they have too many or too few cells.
    """

    where: str
    titles: list[str]
    rows: list[list[str]]
    lines: list[int]
    faults: Faults

    def place(self, row: int) -> str:
        """Name a row for a message."""
        return f"{self.where}, line {self.lines[row]}" if self.lines else self.where

    def column(self, at: int) -> list[str]:
        """Return the cells of a column."""
        return [row[at] for row in self.rows]


def spreadsheet(source: Source, mark: str, *, quoted: bool = True) -> Spreadsheet:
    """Read all of it; without quotes a quotation mark is a letter like any other."""
    text = io.StringIO(_text(source), newline="")
    blanks = quoted and mark != "\t"
    reader = csv.reader(
        text,
        delimiter=mark,
        strict=True,
        skipinitialspace=blanks,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
    )
    sheet = Spreadsheet(source.name, [], [], [], Faults(source.name))
    try:
        sheet.titles.extend(next(row for row in reader if any(row)))
        line = reader.line_num + 1
        for row in reader:
            if any(row):
                _add(sheet, row, line, mark)
            line = reader.line_num + 1
    except csv.Error as error:
        where = f"{source.name}, line {reader.line_num}"
        problem = f"not valid CSV ({error})"
        fault = InputError(problem, where=where, hint="check the quotes")
        sheet.faults.add(reader.line_num, fault)
    if not sheet.titles:
        sheet.faults.refuse()
    return sheet


def _text(source: Source) -> str:
    try:
        return source.read_all().decode("utf-8")
    except UnicodeDecodeError:
        hint = 'save the file as UTF-8 ("CSV UTF-8" in a spreadsheet program)'
        raise InputError("the text is not valid UTF-8", where=source.name, hint=hint) from None


def _add(sheet: Spreadsheet, row: list[str], line: int, mark: str) -> None:
    """Take a row; one field too many is a separator without quotes, and shifts all that follows."""
    titles = sheet.titles
    if len(row) == len(titles):
        sheet.lines.append(line)
        sheet.rows.append(row)
        return
    found = count_noun(len(row), "column")
    problem = f"found {found}, expected {len(titles)} ({', '.join(titles)[:200]})"
    hint = _advice(row, mark, short=len(row) < len(titles))
    sheet.faults.add(line, InputError(problem, where=f"{sheet.where}, line {line}", hint=hint))


def _advice(row: list[str], mark: str, *, short: bool) -> str:
    if short:
        return "check whether the line is truncated"
    if has_decimal_comma(mark.join(row[-2:])):
        return f"{DECIMAL_POINT}, or separate the columns with semicolons"
    return f"put quotes around a cell that contains {NAMES.get(mark, mark)}"
