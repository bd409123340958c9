"""Questions to a table in PostgreSQL: which vectors are near, which chunks hold the words."""

from functools import lru_cache
from typing import Any

import numpy as np

from assay.engines._ranked import nothing
from assay.engines.dense.exact import exact
from assay.engines.stores._postgres_fill import LONGEST, Filled, clean
from assay.engines.stores._postgres_session import Opened
from assay.engines.stores._postgres_settings import RANGES, Settings
from assay.errors import InputError
from assay.records import Floats, Found, Ints, Vectors

__all__ = ["LENGTH", "dense", "lexical"]

MOST_WORDS = 512  # of a query
# Divide by the logarithm of the different words: nDCG@10 on Cranfield, CoSQA, a part of SciFact and
# CACM is then .299 .306 .751 .308, without .258 .232 .726 .311. PostgreSQL's manual, 12.3.3.
LENGTH = 16
ITERATIVE = (0, 8)  # the pgvector that goes on when a walk through the graph found too few

Near = tuple[int, Any]  # a row, and its vector as pgvector returns it
NEAREST = """SELECT chunk, embedding, embedding <=> %(vector)b FROM {}.chunks
             WHERE embedding IS NOT NULL ORDER BY embedding <=> %(vector)b LIMIT %(asked)s"""
# Equal vectors have equal cosines, of which the smallest rows come first.
AS_NEAR = """SELECT embedding, (array_agg(chunk ORDER BY chunk))[:%(depth)s] FROM {}.chunks
             WHERE embedding <=> %(vector)b <= %(bound)s GROUP BY embedding"""
# A word in quotes means itself, whatever it is made of: quotes and backslashes are doubled.
HOLDING = r"""WITH asked AS (
                SELECT string_agg(
                  '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | '
                )::tsquery AS query
                FROM (SELECT lexeme FROM unnest(to_tsvector(%(language)s::oid::regconfig, %(text)s))
                      ORDER BY positions[1], lexeme LIMIT %(words)s) AS first)
              SELECT chunk, ts_rank(words, query, %(length)s)::float8 AS score FROM {}.chunks, asked
              WHERE words @@ query ORDER BY score DESC, chunk LIMIT %(depth)s"""


def dense(
    opened: Opened, schema: str, vector: Vectors, depth: int, filled: Filled, settings: Settings
) -> Found:
    """Let the table propose the nearest, and score them as every dense index here does.

    PostgreSQL multiplies in float32. Where there is no graph, as many are fetched as that could
    have put in a wrong place, so that rows and scores are those of an exact search to the bit.
    """
    unit = _empty(filled.dimension).stored.unit(vector)
    if unit is None or depth < 1 or not filled.vectors:
        return nothing("cosine", 1.0)
    query, depth = unit.astype(np.float32), min(depth, filled.vectors)
    if settings.approximate:
        _reach(opened, depth, settings)
        found = _nearest(opened, schema, query, depth)
    else:
        found = _surely_nearest(opened, schema, query, depth, filled)
    rows: Ints = np.array([row for row, _ in found], np.int64)
    vectors = np.array([_array(each) for _, each in found], np.float32)
    whole = vectors.reshape(len(rows), filled.dimension)
    return exact(whole, rows, precision="float32").search(vector, depth)


def lexical(opened: Opened, schema: str, text: str, depth: int) -> Found:
    """Rank the chunks that hold any of the words."""
    if depth < 1:
        return nothing("ts_rank")
    asked = {"language": opened.language, "text": clean(text[:LONGEST])}
    numbers = {"words": MOST_WORDS, "length": LENGTH, "depth": min(depth, 1 << 62)}
    found = opened.connection.execute(_of(HOLDING, schema), asked | numbers).fetchall()
    rows: Ints = np.array([row for row, _ in found], np.int64)
    scores: Floats = np.array([score for _, score in found], np.float64)
    return Found(rows, scores, "ts_rank")


def _nearest(opened: Opened, schema: str, query: Vectors, asked: int) -> list[Near]:
    values = {"vector": query, "asked": asked}
    return [(row, vector) for row, vector, _ in _asked(opened, schema, NEAREST, values)]


def _surely_nearest(
    opened: Opened, schema: str, query: Vectors, depth: int, filled: Filled
) -> list[Near]:
    """Fetch some more than asked for; where they are all as near as the last, all such."""
    more = depth + depth // 4 + 8
    found = _asked(opened, schema, NEAREST, {"vector": query, "asked": more})
    if len(found) == more:
        bound = found[depth - 1][2] + 2 * _error(filled)
        if found[-1][2] <= bound:
            values = {"vector": query, "bound": bound, "depth": depth}
            near = _asked(opened, schema, AS_NEAR, values)
            return [(row, vector) for vector, rows in near for row in rows]
    return [(row, vector) for row, vector, _ in found]


def _asked(opened: Opened, schema: str, statement: str, values: dict[str, Any]) -> list[Any]:
    with opened.connection.cursor(binary=True) as cursor:
        return cursor.execute(_of(statement, schema), values).fetchall()


def _error(filled: Filled) -> float:
    # pgvector/src/vector.c, VectorCosineSimilarity: a product and two squared lengths, added up in
    # float32. Higham, Accuracy and Stability of Numerical Algorithms (2002), section 3.1: each is
    # off by at most n u of the lengths. We do not divide by the length of a row, which is nearly 1.
    return 1.01 * (2 * filled.dimension + 16) * 2.0**-24 + filled.off


def _reach(opened: Opened, asked: int, settings: Settings) -> None:
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


def _check_iterative(opened: Opened, asked: int, most: int) -> None:
    version = tuple(int(part) for part in opened.pgvector.split(".")[:2])
    if version < ITERATIVE:
        raise InputError(
            f"pgvector {opened.pgvector} finds at most {most:,} with an hnsw index, not {asked:,}",
            where="depth",
            hint="ask for fewer, update pgvector to 0.8, or use index: exact",
        )


def _array(vector: Any) -> Vectors:  # noqa: ANN401
    """Read what pgvector's Python package returns: an array, and since 0.5 a type of its own."""
    array: Vectors = vector if isinstance(vector, np.ndarray) else vector.to_numpy()
    return array


@lru_cache(maxsize=8)
def _empty(dimension: int) -> Any:  # noqa: ANN401
    return exact(np.empty((0, dimension), np.float32), np.empty(0, np.int64), precision="float32")


@lru_cache(maxsize=64)
def _of(statement: str, schema: str) -> Any:  # noqa: ANN401
    from psycopg import sql

    return sql.SQL(statement).format(sql.Identifier(schema))
