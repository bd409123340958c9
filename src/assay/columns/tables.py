"""Tables with titles (tsv, csv, parquet, frames) -> triples."""

import csv as csv_module
import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.columns.delimited import delimited
from assay.columns.header import find_columns
from assay.columns.rows import rows
from assay.columns.source import Source
from assay.columns.triples import Triples
from assay.errors import InputError
from assay.records import Floats

__all__ = ["Wanted", "csv", "frame", "is_frame", "parquet", "tsv"]

Wanted = Sequence[Sequence[str]]  # for query, document and number: the titles that fit


def tsv(source: Source, wanted: Wanted, *, value: str) -> Triples:
    """Read tab-separated lines below a line of titles."""
    first = source.head().decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    titles = first.split("\t")
    query, document, number = find_columns(titles, wanted, where=source.name)
    titles[number] = value
    return delimited(source, titles, (query, document, number), tabs=True, header=True)


def csv(source: Source, wanted: Wanted, *, value: str) -> Triples:
    """Read comma-separated lines below a line of titles, with the usual quotes."""
    text = _text(source)
    reader = csv_module.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    lines: list[int] = []
    table: list[list[str]] = []
    try:
        titles = next(reader)
        columns = find_columns(titles, wanted, where=source.name)
        line = reader.line_num + 1
        for row in reader:
            if row:
                _refuse_count(row, titles, f"{source.name}, line {line}")
                lines.append(line)
                table.append(row)
            line = reader.line_num + 1
    except csv_module.Error as error:
        where = f"{source.name}, line {reader.line_num}"
        raise InputError(f"not valid csv ({error})", where=where, hint="check quotes") from None
    queries, documents, texts = ([row[at] for row in table] for at in columns)
    numbers = np.array([_number(text) for text in texts], np.float64)

    def place(row: int) -> str:
        return f"{source.name}, line {lines[row]}" if lines else source.name

    bad = ~np.isfinite(numbers)
    if bad.any():
        worst = int(bad.argmax())
        problem = f'{value} "{texts[worst]}" is not a finite number'
        raise InputError(problem, where=place(worst), hint="repair or remove the line")
    return rows(queries, documents, numbers, place=place, value=value)


def parquet(source: Source, wanted: Wanted, *, value: str) -> Triples:
    """Read a parquet file."""
    import polars as pl  # costs more than reading a small text file

    try:
        table = pl.read_parquet(io.BytesIO(source.read_all()))
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - polars has its own kinds, and panics on some files
        problem = f"not a readable parquet file ({str(error).partition(chr(10))[0]})"
        raise InputError(problem, where=source.name, hint="write it again") from None
    return frame(table, wanted, where=source.name, value=value)


def is_frame(table: object) -> bool:
    """Say whether this is a polars or pandas frame, without importing either."""
    kinds = {kind.__module__.partition(".")[0] for kind in type(table).__mro__}
    return not kinds.isdisjoint(("polars", "pandas")) and hasattr(type(table), "columns")


def frame(table: Any, wanted: Wanted, *, where: str, value: str) -> Triples:  # noqa: ANN401
    """Read a polars or pandas frame."""
    if hasattr(table, "collect"):
        table = table.collect()
    titles = [str(title) for title in table.columns]
    query, document, number = (
        table[titles[at]] for at in find_columns(titles, wanted, where=where)
    )

    def place(row: int) -> str:
        return f"{where}, row {row}"

    for column, title in ((query, "query"), (document, "document"), (number, value)):
        empty = np.asarray(column.is_null() if hasattr(column, "is_null") else column.isnull())
        if empty.any():
            at = place(int(empty.argmax()))
            raise InputError(f"the {title} is missing", where=at, hint="remove or fill the row")
    numbers = _float_column(number, where=where, value=value)
    return rows(_list(query), _list(document), numbers, place=place, value=value)


def _list(column: Any) -> list[str]:  # noqa: ANN401
    values: list[str] = column.to_list()
    return values


def _float_column(column: Any, *, where: str, value: str) -> Floats:  # noqa: ANN401
    numbers = column.to_numpy()
    if numbers.dtype.kind not in "iuf":
        problem = f"the {value} column holds {column.dtype}, not numbers"
        raise InputError(problem, where=where, hint="convert it to a number type")
    return numbers.astype(np.float64)  # type: ignore[no-any-return]


def _text(source: Source) -> str:
    try:
        return source.read_all().decode("utf-8")
    except UnicodeDecodeError:
        hint = "save it as UTF-8"
        raise InputError("text that is not UTF-8", where=source.name, hint=hint) from None


def _refuse_count(row: list[str], titles: list[str], where: str) -> None:
    """One field too many is a comma without quotes, and shifts all that follows."""
    if len(row) != len(titles):
        problem = f"{len(row)} columns where {len(titles)} are expected ({', '.join(titles)})"
        short = len(row) < len(titles)
        hint = "is the line cut short?" if short else "put quotes around a comma"
        raise InputError(problem, where=where, hint=hint)


def _number(text: str) -> float:
    try:
        return float("nan") if "_" in text else float(text)
    except ValueError:
        return float("nan")
