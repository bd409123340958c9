"""Chunks as points of Qdrant: under their row a dense vector, and a sparse one for their words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assay.engines.vectors.packing import unpack
from assay.engines.vectors.stored_vectors import StoredVectors
from assay.records import Floats, Ints

__all__ = ["described", "points", "requests"]

AT_ONCE = 400_000  # numbers in one request: some 10 MB, where a server takes 32


def described(dimension: int, settings: Mapping[str, int] | None) -> dict[str, Any]:
    """Describe a collection, with the settings of a graph or (None) without any graph."""
    from qdrant_client import models

    dense = models.VectorParams(size=max(dimension, 1), distance=models.Distance.COSINE)
    words = models.SparseVectorParams(modifier=models.Modifier.IDF)
    # In kilobytes: small collections too get the graph that was asked for; 0 is for none at all.
    threshold = 0 if settings is None else 1
    described: dict[str, Any] = {
        "vectors_config": {"dense": dense},
        "sparse_vectors_config": {"words": words},
        "optimizers_config": models.OptimizersConfigDiff(indexing_threshold=threshold),
        "shard_number": 1,  # the rarity of a word is counted in each shard by itself
    }
    if settings is not None:
        described["hnsw_config"] = models.HnswConfigDiff(
            m=settings["m"], ef_construct=settings["ef_construct"], full_scan_threshold=10
        )
    return described


def points(
    rows: Ints, stored: StoredVectors, weights: Sequence[tuple[Ints, Floats]] | None
) -> Iterator[Any]:
    """Yield a point for each row, or None for a row that has neither a vector nor a word."""
    from qdrant_client import models

    for at, place in enumerate(stored.positions(rows).tolist()):
        vector: dict[str, Any] = {}
        if place >= 0:
            (dense,) = unpack(stored.packed[place : place + 1], stored.precision)
            vector["dense"] = dense.tolist()
        if weights is not None and len(weights[at][0]):
            numbers, values = weights[at]
            vector["words"] = models.SparseVector(indices=numbers.tolist(), values=values.tolist())
        yield models.PointStruct(id=int(rows[at]), vector=vector) if vector else None


def requests(found: Iterable[Any]) -> Iterator[list[Any]]:
    """Cut points into requests that a server takes."""
    held: list[Any] = []
    size = 0
    for point in found:
        if point is None:
            continue
        held.append(point)
        size += len(point.vector.get("dense", ()))
        size += 2 * len(point.vector["words"].indices) if "words" in point.vector else 0
        if size >= AT_ONCE:
            yield held
            held, size = [], 0
    if held:
        yield held
