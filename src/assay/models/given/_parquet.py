"""A table in parquet -> ids, and rows of numbers in a temporary file."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from assay.errors import InputError
from assay.extras import require_extra
from assay.models.given._row_file import RowFile
from assay.text.count_noun import count_noun
from assay.text.join_list import join_list
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

if TYPE_CHECKING:
    import polars as pl

__all__ = ["open_parquet"]

IDS = (
    *("id", "_id", "document_id", "doc_id", "docid", "docno", "document"),
    *("query_id", "query-id", "qid", "query", "key", "chunk_id", "uri", "path"),
)
VECTORS = ("vector", "embedding", "vectors", "embeddings", "emb", "dense_vector", "values")
BLOCK = 1 << 28  # bytes that are taken at once: each time a whole group of rows is unpacked
HINT = "name the columns: vectors: {path: FILE, id: COLUMN, vector: COLUMN}"
SAVE = "give every row a list of the same number of floats"


def open_parquet(path: Path, *, id: str = "", vector: str = "") -> tuple[list[str], RowFile]:  # noqa: A002
    """Read the ids, and copy the vectors to a file in which each can be reached alone.

    The columns are guessed by their names, unless they are given.
    """
    require_extra("frames", "a parquet file needs the package polars", where=str(path))
    import polars as pl  # costs more than reading a small text file

    try:
        table = pl.scan_parquet(path)
        kinds = dict(table.collect_schema().items())
        names = _column(kinds, id, IDS, "id", path)
        values = _column(kinds, vector, VECTORS, "vector", path)
        ids = _ids(table.select(names).collect()[names], path)
        return ids, _rows(table.select(values), kinds[values], ids, path)
    except (KeyboardInterrupt, MemoryError, InputError):
        raise
    except BaseException as error:  # noqa: BLE001 - polars has its own kinds, and panics on some files
        problem = f"not a readable parquet file ({str(error).partition(chr(10))[0][:200]})"
        raise InputError(problem, where=str(path), hint="create it again") from None


def _column(kinds: dict[str, Any], given: str, usual: Sequence[str], what: str, path: Path) -> str:
    if given:
        if given in kinds:
            return given
        problem = f"unknown column {quote_value(given)}"
        raise InputError(problem, where=str(path), hint=did_you_mean(given, [*kinds]))
    lower = {name.lower(): name for name in kinds}
    found = [lower[name] for name in usual if name in lower]
    lists = [name for name in found if kinds[name].is_nested()]
    if what == "vector" and len(lists) > 1:
        problem = f"several columns of vectors: {join_list(lists)}"
        raise InputError(problem, where=str(path), hint=HINT)
    if found:
        return found[0]
    problem = f"no column for the {what} was recognised; it has {join_list([*kinds], most=10)}"
    raise InputError(problem, where=str(path), hint=HINT)


def _ids(column: "pl.Series", path: Path) -> list[str]:
    import polars as pl

    if not (column.dtype.is_integer() or column.dtype in (pl.String, pl.Categorical)):
        problem = f'expected texts or whole numbers in column "{column.name}", found {column.dtype}'
        raise InputError(problem, where=str(path), hint=HINT)
    if missing := column.null_count():
        problem = f'{missing:,} of {len(column):,} rows have no id in column "{column.name}"'
        raise InputError(problem, where=str(path), hint="remove these rows, or give them an id")
    return cast("list[str]", column.cast(pl.String).to_list())


def _rows(table: "pl.LazyFrame", kind: Any, ids: list[str], path: Path) -> RowFile:  # noqa: ANN401
    """Copy all vectors, some at a time, to a file that is gone with this process."""
    import polars as pl

    inner = getattr(kind, "inner", None)
    if not isinstance(kind, pl.List | pl.Array) or inner is None or not inner.is_float():
        problem = f"expected lists of floating-point numbers, found {kind}"
        raise InputError(problem, where=str(path), hint=SAVE)
    file = cast("BinaryIO", TemporaryFile())  # noqa: SIM115 - closed with what reads it
    try:
        dtype, dimension = _copied(table, ids, file, path)
    except BaseException:
        file.close()
        raise
    return RowFile(file, name=str(path), kind=dtype, count=len(ids), dimension=dimension)


def _copied(
    table: "pl.LazyFrame", ids: list[str], file: BinaryIO, path: Path
) -> tuple[np.dtype[Any], int]:
    """Write the numbers of all rows, and tell their type and how many a row has."""
    dtype, dimension, ragged = np.dtype("<f4"), 0, dict[int, int]()
    first = int(_lengths(table.head(1).collect().to_series()).sum())
    step = max(1, BLOCK // (8 * max(1, first)))
    for start in range(0, len(ids), step):
        column = table.slice(start, step).collect().to_series()
        lengths = _lengths(column)
        dimension = dimension or int(np.bincount(lengths[lengths > 0], minlength=1).argmax())
        wrong = np.flatnonzero((lengths != dimension) | (lengths == 0)).tolist()
        ragged |= {start + at: int(lengths[at]) for at in wrong}
        numbers = column.explode().to_numpy()
        dtype = numbers.dtype
        file.write(np.ascontiguousarray(numbers).tobytes())
    if ragged:
        raise _ragged(ragged, dimension, ids, path)
    file.flush()
    return dtype, dimension


def _lengths(column: "pl.Series") -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Count the numbers of each row; 0 where there is no list."""
    import polars as pl

    if isinstance(column.dtype, pl.Array):
        size = int(np.prod(column.dtype.shape))
        lengths = np.where(column.is_null().to_numpy(), 0, size)
    else:
        lengths = column.list.len().fill_null(0).to_numpy()
    return lengths.astype(np.int64)


def _ragged(ragged: dict[int, int], dimension: int, ids: Sequence[str], path: Path) -> InputError:
    at, length = next(iter(ragged.items()))
    example = f"that of {quote_value(ids[at])} (row {at + 1:,}) has {length:,}"
    verb = "does" if len(ragged) == 1 else "do"
    many = f"{len(ragged):,} of {count_noun(len(ids), 'vector')} {verb} not have"
    problem = f"{many} {count_noun(dimension, 'number')}, e.g. {example}"
    return InputError(problem, where=str(path), hint=SAVE)
