"""Chunks become a table: rows, words and vectors, then the indexes over them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from assay.engines.stores._postgres_session import OpenConnection
from assay.engines.stores._postgres_settings import PostgresSettings
from assay.engines.vectors.packing import pack, unpack
from assay.errors import InputError
from assay.records import Bools, Ints, Vectors

__all__ = ["HELD", "FillCounts", "Row", "clean", "drop", "fill", "rows_of", "size_bytes"]

BATCH = 1000  # chunks that are copied at once
# A tsvector holds 2**20 bytes at most; a text of this length cannot make a larger one.
LONGEST = 100_000
HELD = {"exact": 16_000, "hnsw": 2_000}  # values of a vector that pgvector can hold, and index
MEMORY_MB = (64, 2048)  # least and most that building a graph may use

Row = tuple[int, str, Vectors | None]


@dataclass(slots=True)
class FillCounts:
    """What became of the chunks: how many there are, and how many have a vector or none."""

    dimension: int
    chunks: int = 0
    vectors: int = 0
    without_direction: int = 0
    shortened: int = 0


def clean(text: str) -> str:
    """Write a text so that PostgreSQL takes it: no NUL, no half of a character."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def rows_of(
    chunks: Iterable[tuple[Ints, Sequence[str], Vectors | None]], filled: FillCounts
) -> Iterator[Row]:
    """Yield chunk after chunk, and count; a vector without direction is left out."""
    for rows, texts, vectors in chunks:
        kept = [None] * len(texts) if vectors is None else _vectors(vectors, filled)
        for row, text, vector in zip(rows, texts, kept, strict=True):
            filled.chunks += 1
            yield int(row), clean(text), vector


def _vectors(vectors: Vectors, filled: FillCounts) -> list[Vectors | None]:
    if vectors.ndim != 2 or vectors.shape[1] != filled.dimension:
        raise InputError(
            f"vectors have shape {vectors.shape}, the table expects {filled.dimension} dimensions",
            where="vectors",
            hint="use one model for all vectors",
        )
    unit = unpack(pack(vectors, "float32"), "float32")
    known: Bools = np.any(unit, axis=1)
    filled.vectors += int(known.sum())
    filled.without_direction += int((~known).sum())
    return [vector if some else None for vector, some in zip(unit, known, strict=True)]


def fill(
    opened: OpenConnection,
    schema: str,
    rows: Iterable[Row],
    filled: FillCounts,
    settings: PostgresSettings,
) -> None:
    """Make schema and table in one transaction: whatever goes wrong, nothing is left behind."""
    check_width(filled.dimension, settings)
    connection = opened.connection
    with connection.transaction():
        # Vectors may still have to be made, and a graph takes its time.
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        _create(connection, schema, filled, settings)
        remaining = iter(rows)
        while batch := list(islice(remaining, BATCH)):
            if settings.words:
                _insert(opened, schema, batch, filled)
            else:
                _copy(connection, schema, "chunks", [(row, vector) for row, _, vector in batch])
        connection.execute(_of(schema, "DROP TABLE IF EXISTS {}.incoming"))
        _index(connection, schema, filled, settings)


def drop(opened: OpenConnection, schema: str) -> None:
    """Remove schema and table."""
    opened.connection.execute(_of(schema, "DROP SCHEMA IF EXISTS {} CASCADE"))


def size_bytes(opened: OpenConnection, schema: str) -> int:
    """Count the bytes of the table and its indexes on the server's disk."""
    statement = "SELECT pg_total_relation_size(format('%%I.chunks', %s::text)::regclass)"
    (size,) = opened.connection.execute(statement, [schema]).fetchone() or (0,)
    return int(size)


def check_width(dimension: int, settings: PostgresSettings) -> None:
    """Refuse vectors that pgvector cannot hold, or not link."""
    widest = HELD[settings.index]
    if dimension > widest:
        raise InputError(
            f"vectors have {dimension:,} dimensions; pgvector supports at most {widest:,}",
            where=f"index {settings.index}",
            hint="use a model with fewer dimensions"
            + (", or index: exact" if settings.approximate else ""),
        )


def _create(connection: Any, schema: str, filled: FillCounts, settings: PostgresSettings) -> None:  # noqa: ANN401
    """Make a table with a column for words, for vectors, or for both: what is to be searched."""
    from psycopg import sql

    vector = sql.SQL(", embedding vector({})").format(sql.Literal(filled.dimension))
    embedding = vector if filled.dimension else sql.SQL("")
    words = sql.SQL(", words tsvector NOT NULL" if settings.words else "")
    connection.execute(_of(schema, "CREATE SCHEMA {}"))
    chunks = "CREATE TABLE {}.chunks (chunk bigint PRIMARY KEY{}{})"
    connection.execute(_of(schema, chunks, words, embedding))
    if settings.words:
        incoming = "CREATE UNLOGGED TABLE {}.incoming (chunk bigint, body text{})"
        connection.execute(_of(schema, incoming, embedding))


def _insert(opened: OpenConnection, schema: str, batch: list[Row], filled: FillCounts) -> None:
    """Copy a batch beside the table, and let PostgreSQL find the words in it."""
    from psycopg import errors

    connection, vectors = opened.connection, filled.dimension > 0
    connection.execute(_of(schema, "TRUNCATE {}.incoming"))
    _copy(connection, schema, "incoming", batch if vectors else [row[:2] for row in batch])
    try:
        with connection.transaction():
            _index_words(opened, schema, "body", vectors=vectors)
    except errors.ProgramLimitExceeded:
        filled.shortened += sum(len(body) > LONGEST for _, body, _ in batch)
        _index_words(opened, schema, f"left(body, {LONGEST})", vectors=vectors)


def _copy(connection: Any, schema: str, table: str, rows: Sequence[tuple[Any, ...]]) -> None:  # noqa: ANN401
    from psycopg import sql

    types = {"incoming": ["int8", "text", "vector"], "chunks": ["int8", "vector"]}[table]
    statement = _of(schema, "COPY {}.{} FROM STDIN (FORMAT binary)", sql.Identifier(table))
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(types[: len(rows[0])])
        for row in rows:
            copy.write_row(row)


def _index_words(opened: OpenConnection, schema: str, body: str, *, vectors: bool) -> None:
    statement = (
        f"INSERT INTO {{}}.chunks SELECT chunk, to_tsvector(%s::oid::regconfig, {body})"  # noqa: S608 (no value of anybody is in it)
        f"{', embedding' if vectors else ''} FROM {{}}.incoming"
    )
    opened.connection.execute(_of(schema, statement, repeat=2), [opened.language])


def _index(connection: Any, schema: str, filled: FillCounts, settings: PostgresSettings) -> None:  # noqa: ANN401
    from psycopg import sql

    memory = f"{_memory_mb(filled, settings)}MB"
    connection.execute("SELECT set_config('maintenance_work_mem', %s, true)", [memory])
    # Several workers need shared memory, of which a container has little.
    connection.execute("SET LOCAL max_parallel_maintenance_workers = 0")
    if settings.words:
        connection.execute(_of(schema, "CREATE INDEX words ON {}.chunks USING gin (words)"))
    if settings.approximate and filled.dimension:
        statement = (
            "CREATE INDEX embeddings ON {}.chunks USING hnsw (embedding vector_cosine_ops)"
            " WITH (m = {}, ef_construction = {})"
        )
        numbers = sql.Literal(settings.m), sql.Literal(settings.ef_construction)
        connection.execute(_of(schema, statement, *numbers))
    connection.execute(_of(schema, "ANALYZE {}.chunks"))


def _memory_mb(filled: FillCounts, settings: PostgresSettings) -> int:
    """Estimate what a graph takes while it is built: its vectors, each with 2 m links or more."""
    needed = filled.vectors * (4 * filled.dimension + 2 * settings.m * 16 + 256) >> 20
    least, most = MEMORY_MB
    return int(min(max(least, needed), most))


def _of(schema: str, statement: str, *values: Any, repeat: int = 1) -> Any:  # noqa: ANN401
    """Put the name of the schema, and numbers, into a statement, quoted."""
    from psycopg import sql

    names = [sql.Identifier(schema)] * repeat
    return sql.SQL(statement).format(*names, *values)
