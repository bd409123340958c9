"""Requests to a LanceDB table: build indexes, find the nearest rows, match text."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.extras import install_command
from assay.records import Floats, Ints

__all__ = ["graph", "library", "matching", "nearest", "spoken"]


@contextmanager
def spoken() -> Iterator[None]:
    """Turn what LanceDB raises into one message."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        said = " ".join(str(error).split())[:200] or type(error).__name__
        hint = "check the system settings, and that the folder is writable"
        raise InputError(f"LanceDB: {said}", where="lancedb", hint=hint) from error


def library() -> Any:  # noqa: ANN401
    """Import LanceDB, or say how to get it; what it would log, our notes say."""
    os.environ.setdefault("LANCEDB_LOG", "error")
    try:
        import lancedb
    except ImportError as error:
        problem = "the lancedb store requires the package lancedb"
        raise InputError(problem, hint=install_command("lancedb")) from error
    return lancedb


def graph(kind: str, settings: Mapping[str, int]) -> Any:  # noqa: ANN401
    """Describe an index of vectors as LanceDB wants it."""
    from lancedb import index

    kinds = {
        "ivf_flat": index.IvfFlat,
        "ivf_pq": index.IvfPq,
        "ivf_hnsw_pq": index.HnswPq,
        "ivf_hnsw_sq": index.HnswSq,
    }
    names = {"partitions": "num_partitions", "m": "m", "ef_construction": "ef_construction"}
    given = {names[name]: value for name, value in settings.items() if name in names}
    return kinds[kind](distance_type="cosine", **given)


def nearest(
    table: Any,  # noqa: ANN401
    unit: Floats,
    asked: int,
    settings: Mapping[str, int] | None,
) -> tuple[Ints, Floats]:
    """Ask for the nearest rows, through an index with its settings if there is one (not None)."""
    query = table.search(unit.astype(np.float32), vector_column_name="vector")
    query = query.distance_type("cosine").limit(asked)
    for name in ("nprobes", "refine_factor", "ef"):
        if settings and name in settings:
            value = max(settings[name], asked) if name == "ef" else settings[name]
            query = getattr(query, name)(value)
    rows, distances = _columns(query, "_distance")
    return rows, 1.0 - distances


def matching(table: Any, text: str, asked: int) -> tuple[Ints, Floats]:  # noqa: ANN401
    """Ask for the rows that hold any word of a text, none of which is read as syntax."""
    from lancedb.query import MatchQuery

    wanted = MatchQuery(text, "text")  # type: ignore[call-arg]
    return _columns(table.search(wanted, query_type="fts").limit(asked), "_score")


def _columns(query: Any, score: str) -> tuple[Ints, Floats]:  # noqa: ANN401
    with spoken():
        found = query.select(["row", score]).to_arrow()
    rows: Ints = found["row"].to_numpy().astype(np.int64)
    scores: Floats = found[score].to_numpy().astype(np.float64)
    return rows, scores
