"""HNSW: walk a graph of neighbours towards the query (Malkov and Yashunin 2018)."""

from functools import partial
from typing import Any

from assay.engines.check_values import check_count
from assay.engines.dense._faiss import (
    built_or_read,
    candidates,
    dumped,
    library,
    one_thread,
    quantizer,
)
from assay.engines.dense._index import DenseIndex, Effort, all_compared
from assay.engines.vectors.stored_vectors import StoredVectors, store
from assay.records import Bytes, Ints, Vectors

__all__ = ["hnsw"]

USUAL = 200  # candidates in view while searching, unless more are asked for


def hnsw(
    vectors: Vectors | Bytes,
    rows: Ints,
    *,
    precision: str = "int8",
    m: int = 32,
    ef_construction: int = 100,
    ef_search: int | None = None,
    saved: bytes | None = None,
) -> DenseIndex:
    """HNSW graph with ``m`` links per vector: approximate, fast on large collections.

    ``ef_construction`` and ``ef_search`` are the sizes of the candidate lists while building and
    while searching. A search returns at most ``ef_search`` vectors; its default grows with the
    depth. ``saved`` are the bytes of ``index.save()``.
    """
    check_count(m, where="m", least=2)  # with one link there are no levels, and faiss crashes
    check_count(ef_construction, where="ef_construction")
    check_count(USUAL if ef_search is None else ef_search, where="ef_search")
    stored = store(vectors, rows, precision)
    if not len(stored):
        return all_compared(stored, "no vectors to build an hnsw graph from: exact search is used")
    built = f"hnsw {m} {ef_construction}"
    index = built_or_read(stored, built, saved, partial(_build, stored, m, ef_construction))
    codes = stored.dimension * {"float32": 4, "float16": 2, "int8": 1}[precision]
    size = len(stored) * (2 * m * 4 + codes)  # links at the lowest level, of four bytes each
    return DenseIndex(
        kind="hnsw",
        stored=stored,
        near=candidates(index, _plan),
        settings=(("ef_construction", ef_construction), ("m", m)),
        effort=Effort("ef_search", USUAL, in_candidates=True),
        given_effort=ef_search,
        save=partial(dumped, stored, built, index),
        graph_bytes=size,
    )


def _build(stored: StoredVectors, m: int, ef_construction: int) -> Any:  # noqa: ANN401
    faiss = library()
    if stored.precision == "float32":
        index = faiss.IndexHNSWFlat(stored.dimension, m, faiss.METRIC_INNER_PRODUCT)
    else:
        codes = quantizer(faiss, stored.precision)
        index = faiss.IndexHNSWSQ(stored.dimension, codes, m, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = ef_construction
    with one_thread(faiss):
        for block in stored.blocks():
            if not index.is_trained:
                index.train(block)
            index.add(block)
    return index


def _plan(asked: int, ef_search: int | None) -> tuple[int, Any]:
    """Walk with as long a list as given, of which faiss cannot return more than it holds."""
    ef = max(USUAL, asked) if ef_search is None else ef_search
    return min(asked, ef), library().SearchParametersHNSW(efSearch=ef)
