"""Tables with titles (tsv, csv, parquet, frames) -> triples."""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from assay.columns.decimal_comma import DECIMAL_POINT, has_decimal_comma
from assay.columns.delimited import delimited
from assay.columns.files.source import Source
from assay.columns.header import find_columns, first_row, separator
from assay.columns.rows import rows
from assay.columns.run_columns import RunColumns, ranks_and_tags, run_columns
from assay.columns.spreadsheet import spreadsheet
from assay.columns.triples import Triples
from assay.columns.ungraded import is_examined, ungraded
from assay.errors import InputError
from assay.extras import require_extra
from assay.records import Floats

__all__ = ["ColumnTitles", "csv", "frame", "is_frame", "parquet", "tsv"]

THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
ColumnTitles = Sequence[Sequence[str]]  # for query, document and number: the titles that fit


def tsv(source: Source, wanted: ColumnTitles, *, value: str, of_run: bool = False) -> Triples:
    """Read tab-separated lines below a line of titles; ``of_run`` also its ranks and tags."""
    titles = first_row(source.head(), "\t")
    query, document, number = find_columns(titles, wanted, where=source.name)
    if number is None or source.wide:
        return _listed(source, wanted, "\t", value=value, of_run=of_run)
    beside = RunColumns(*run_columns(titles)) if of_run else None
    titles[number] = value
    found = cast("tuple[int, int, int]", (query, document, number))
    return delimited(source, titles, found, tabs=True, header=True, beside=beside)


def csv(source: Source, wanted: ColumnTitles, *, value: str, of_run: bool = False) -> Triples:
    """Read lines below a line of titles, separated by commas or semicolons, with quotes."""
    mark = separator(source.head(), (",", ";")) or ","
    return _listed(source, wanted, mark, value=value, of_run=of_run)


def _listed(
    source: Source, wanted: ColumnTitles, mark: str, *, value: str, of_run: bool
) -> Triples:
    """Read cells one by one, as any program for spreadsheets writes them."""
    sheet = spreadsheet(source, mark, quoted=mark != "\t" or source.wide)
    found = find_columns(sheet.titles, wanted, where=source.name)
    queries, documents, texts = ([] if at is None else sheet.column(at) for at in found)
    queries, documents = [cell.strip() for cell in queries], [cell.strip() for cell in documents]
    if found[2] is None:
        sheet.faults.refuse()
        ones = np.ones(len(queries))
        triples = rows(queries, documents, ones, place=sheet.place, where=source.name, value=value)
        return replace(
            triples, ungraded=ungraded(sheet.titles, _values(sheet.titles, sheet.column))
        )
    commas = mark != "," and any("," in text for text in texts)
    if commas:
        _refuse_thousands(texts, value=value, where=source.name)
    numbers = np.array([_number(text, commas=commas) for text in texts], np.float64)

    def not_finite(row: int) -> InputError:
        problem = f'{value} "{texts[row][:40]}" is not a finite number'
        hint = _advice(texts[row], commas=commas)
        return InputError(problem, where=sheet.place(row), hint=hint)

    by_line = {sheet.lines[row]: row for row in np.flatnonzero(~np.isfinite(numbers)).tolist()}
    sheet.faults.add_all([*by_line], lambda line: not_finite(by_line[line]))
    sheet.faults.refuse()

    def cells(at: int, most: int | None) -> list[str]:
        return [row[at] for row in sheet.rows[:most]]

    ranks, tags = ranks_and_tags(sheet.titles, cells) if of_run else (None, None)
    place, where = sheet.place, source.name
    triples = rows(queries, documents, numbers, place=place, where=where, value=value, labels=tags)
    return triples.with_ranks(ranks)


def parquet(source: Source, wanted: ColumnTitles, *, value: str, of_run: bool = False) -> Triples:
    """Read a parquet file."""
    require_extra("frames", "a parquet file needs the package polars", where=source.name)
    import polars as pl  # costs more than reading a small text file

    try:
        table = pl.read_parquet(io.BytesIO(source.read_all()))
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - polars has its own kinds, and panics on some files
        problem = f"not a readable parquet file ({str(error).partition(chr(10))[0]})"
        raise InputError(problem, where=source.name, hint="create it again") from None
    return frame(table, wanted, where=source.name, value=value, of_run=of_run)


def is_frame(table: object) -> bool:
    """Say whether this is a polars or pandas frame, without importing either."""
    kinds = {kind.__module__.partition(".")[0] for kind in type(table).__mro__}
    return not kinds.isdisjoint(("polars", "pandas")) and hasattr(type(table), "columns")


def frame(
    table: Any,  # noqa: ANN401
    wanted: ColumnTitles,
    *,
    where: str,
    value: str,
    of_run: bool = False,
) -> Triples:
    """Read a polars or pandas frame."""
    if hasattr(table, "collect"):
        table = table.collect()
    titles = [str(title) for title in table.columns]
    found = find_columns(titles, wanted, where=where)
    columns = [None if at is None else table[titles[at]] for at in found]

    def place(row: int) -> str:
        return f"{where}, row {row}"

    for column, title in zip(columns, ("query", "document", value), strict=True):
        if column is not None:
            _refuse_missing(column, title, place)
    query, document = _list(columns[0]), _list(columns[1])
    if columns[2] is None:
        triples = rows(query, document, np.ones(len(query)), place=place, where=where, value=value)
        values = _values(titles, lambda at: _list(table[titles[at]]))
        return replace(triples, ungraded=ungraded(titles, values))
    numbers = _float_column(columns[2], where=where, value=value)

    def cells(at: int, most: int | None) -> list[str]:
        column = table[titles[at]]
        return _list(column if most is None else column.head(most))

    ranks, tags = ranks_and_tags(titles, cells) if of_run else (None, None)
    triples = rows(query, document, numbers, place=place, where=where, value=value, labels=tags)
    return triples.with_ranks(ranks)


def _values(
    titles: Sequence[str], column: Callable[[int], Sequence[object]]
) -> dict[int, Sequence[object]]:
    """Return the columns that may hold grades under another title."""
    return {at: column(at) for at, title in enumerate(titles) if is_examined(title)}


def _refuse_missing(column: Any, title: str, place: Callable[[int], str]) -> None:  # noqa: ANN401
    empty = np.asarray(column.is_null() if hasattr(column, "is_null") else column.isnull())
    if empty.any():
        at = place(int(empty.argmax()))
        raise InputError(
            f"the {title} is missing", where=at, hint="fill in the value or remove the row"
        )


def _list(column: Any) -> list[str]:  # noqa: ANN401
    values: list[str] = column.to_list()
    return values


def _float_column(column: Any, *, where: str, value: str) -> Floats:  # noqa: ANN401
    numbers = column.to_numpy()
    if numbers.dtype.kind not in "iuf":
        problem = f"the {value} column has the type {column.dtype}, not numbers"
        raise InputError(problem, where=where, hint="convert it to a numeric type")
    return numbers.astype(np.float64)  # type: ignore[no-any-return]


def _refuse_thousands(texts: Sequence[str], *, value: str, where: str) -> None:
    """Raise where commas may part thousands: "1,200" beside "900" would be the smaller number.

    Decimals of one length are in every number, and those of another length are no thousands.
    """
    cells = [text.strip() for text in texts]
    parted = [cell for cell in cells if "," in cell]
    if any(map(str.isdecimal, cells)) and all(map(THOUSANDS.fullmatch, parted)):
        problem = f'the comma in the {value} "{parted[0][:40]}" is ambiguous: thousands or decimals'
        hint = "write numbers without thousands separators, and decimals with a point"
        raise InputError(problem, where=where, hint=hint)


def _number(text: str, *, commas: bool) -> float:
    """Read a number, with a comma for the point where the column has some."""
    if "_" in text or (commas and "." in text):
        return float("nan")
    try:
        return float(text.replace(",", ".") if commas else text)
    except ValueError:
        return float("nan")


def _advice(text: str, *, commas: bool) -> str:
    if commas and "." in text:
        return "other numbers of the column have a decimal comma: use the same form for all"
    if has_decimal_comma(text):
        return f"{DECIMAL_POINT}, or separate the columns with semicolons"
    return "correct or remove the line"
