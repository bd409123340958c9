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
from assay.engines.dense._index import DenseIndex
from assay.engines.vectors.stored_vectors import StoredVectors, store
from assay.records import Bytes, Ints, Vectors

__all__ = ["hnsw"]


def hnsw(
    vectors: Vectors | Bytes,
    rows: Ints,
    *,
    precision: str = "int8",
    m: int = 32,
    ef_construction: int = 100,
    ef_search: int = 200,
    saved: bytes | None = None,
) -> DenseIndex:
    """HNSW graph with ``m`` links per vector: approximate, fast on large collections.

    ``ef_construction`` and ``ef_search`` are the sizes of the candidate lists while building and
    while searching (at least the depth). ``saved`` are the bytes of ``index.save()``.
    """
    check_count(m, where="m", least=2)  # with one link there are no levels, and faiss crashes
    check_count(ef_construction, where="ef_construction")
    check_count(ef_search, where="ef_search")
    stored = store(vectors, rows, precision)
    settings = (("ef_construction", ef_construction), ("ef_search", ef_search), ("m", m))
    if not len(stored):
        note = "no vectors to build an hnsw graph from: exact search is used"
        return DenseIndex("exact", stored, stored.nearest, note=note)
    built = f"hnsw {m} {ef_construction}"  # what the bytes depend on; ef_search they do not
    index = built_or_read(stored, built, saved, partial(_build, stored, m, ef_construction))
    save = partial(dumped, stored, built, index)
    near = candidates(index, partial(_parameters, ef_search))
    codes = stored.dimension * {"float32": 4, "float16": 2, "int8": 1}[precision]
    size = len(stored) * (2 * m * 4 + codes)  # links at the lowest level, of four bytes each
    return DenseIndex("hnsw", stored, near, settings, save=save, graph_bytes=size)


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


def _parameters(ef_search: int, asked: int) -> Any:  # noqa: ANN401
    return library().SearchParametersHNSW(efSearch=max(ef_search, asked))
