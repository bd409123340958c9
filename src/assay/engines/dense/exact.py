"""Exact: compare the query with every vector."""

from assay.engines.dense._index import DenseIndex, all_compared
from assay.engines.vectors.stored_vectors import store
from assay.records import Bytes, Ints, Vectors

__all__ = ["exact"]


def exact(vectors: Vectors | Bytes, rows: Ints, *, precision: str = "int8") -> DenseIndex:
    """Exact nearest neighbours: compare the query with every stored vector.

    >>> import numpy as np
    >>> index = exact(np.eye(3, dtype=np.float32), np.array([10, 20, 30]))
    >>> index.search(np.array([0.0, 0.6, 0.8], dtype=np.float32), 2).rows.tolist()
    [30, 20]
    """
    stored = store(vectors, rows, precision)
    return all_compared(stored)
