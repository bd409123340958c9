"""Questions to a table in PostgreSQL: which vectors are near, which chunks hold the words."""

from functools import lru_cache
from typing import Any

import numpy as np

from assay.engines.rank_rows import nothing
from assay.engines.stores._postgres_fill import LONGEST, clean
from assay.engines.stores._postgres_session import OpenConnection
from assay.engines.stores._postgres_settings import RANGES, PostgresSettings
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints

__all__ = ["LENGTH", "lexical", "nearest"]

MOST_WORDS = 512  # of a query
# Divide by the logarithm of the different words: nDCG@10 on Cranfield, CoSQA, a part of SciFact and
# CACM is then .299 .306 .751 .308, without .258 .232 .726 .311. PostgreSQL's manual, 12.3.3.
LENGTH = 16
ITERATIVE = (0, 8)  # the pgvector that goes on when a walk through the graph found too few

NEAREST = """SELECT chunk, embedding <=> %(vector)b FROM {}.chunks
             WHERE embedding IS NOT NULL ORDER BY embedding <=> %(vector)b LIMIT %(asked)s"""
# A word in quotes means itself, whatever it is made of: quotes and backslashes are doubled.
HOLDING = r"""WITH asked AS (
                SELECT string_agg(
                  '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | '
                )::tsquery AS query
                FROM (SELECT lexeme FROM unnest(to_tsvector(%(language)s::oid::regconfig, %(text)s))
                      ORDER BY positions[1], lexeme LIMIT %(words)s) AS first)
              SELECT chunk, ts_rank(words, query, %(length)s)::float8 AS score FROM {}.chunks, asked
              WHERE words @@ query ORDER BY score DESC, chunk LIMIT %(depth)s"""


def nearest(
    opened: OpenConnection, schema: str, unit: Floats, asked: int, settings: PostgresSettings
) -> tuple[Ints, Floats]:
    """Return the rows that PostgreSQL finds nearest, best first, with its cosines."""
    if settings.approximate:
        _reach(opened, asked, settings)
    values = {"vector": unit.astype(np.float32), "asked": asked}
    with opened.connection.cursor(binary=True) as cursor:
        found = cursor.execute(_of(NEAREST, schema), values).fetchall()
    rows: Ints = np.array([row for row, _ in found], np.int64)
    return rows, 1 - np.array([distance for _, distance in found], np.float64)


def lexical(opened: OpenConnection, schema: str, text: str, depth: int) -> FoundRows:
    """Rank the chunks that hold any of the words."""
    if depth < 1:
        return nothing("ts_rank")
    asked = {"language": opened.language, "text": clean(text[:LONGEST])}
    numbers = {"words": MOST_WORDS, "length": LENGTH, "depth": min(depth, 1 << 62)}
    found = opened.connection.execute(_of(HOLDING, schema), asked | numbers).fetchall()
    rows: Ints = np.array([row for row, _ in found], np.int64)
    scores: Floats = np.array([score for _, score in found], np.float64)
    return FoundRows(rows, scores, "ts_rank")


def _reach(opened: OpenConnection, asked: int, settings: PostgresSettings) -> None:
    """Keep as many candidates in view as are asked for; above pgvector's limit it walks on."""
    reach = max(settings.ef_search, asked)
    if reach == opened.reach:
        return
    most = RANGES["ef_search"][1]
    changes = {"hnsw.ef_search": str(min(reach, most)), "enable_seqscan": "off"}
    if reach > most:
        _check_iterative(opened, asked, most)
        changes["hnsw.iterative_scan"] = "strict_order"
        changes["hnsw.max_scan_tuples"] = str(min(max(20_000, 20 * reach), 2**31 - 1))
        changes["work_mem"] = "64MB"
    elif opened.reach > most:
        changes["hnsw.iterative_scan"] = "off"
    for name, value in changes.items():
        opened.connection.execute("SELECT set_config(%s, %s, false)", [name, value])
    opened.reach = reach


def _check_iterative(opened: OpenConnection, asked: int, most: int) -> None:
    version = tuple(int(part) for part in opened.pgvector.split(".")[:2])
    if version < ITERATIVE:
        raise InputError(
            f"pgvector {opened.pgvector} returns at most {most:,} results with index: hnsw, "
            f"but {asked:,} were requested",
            where="depth",
            hint="lower depth, update pgvector to 0.8 or later, or use index: exact",
        )


@lru_cache(maxsize=64)
def _of(statement: str, schema: str) -> Any:  # noqa: ANN401
    from psycopg import sql

    return sql.SQL(statement).format(sql.Identifier(schema))
