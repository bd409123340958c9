"""Query vector -> the nearest vectors. One file per kind of index."""

from assay.engines.dense._index import DenseIndex
from assay.engines.dense._recall import Recall, recall
from assay.engines.vectors.stored_vectors import StoredVectors

__all__ = ["DenseIndex", "Recall", "StoredVectors", "recall"]
