"""Which vectors are near the query's? One file per kind of index."""

from assay.engines.dense._index import DenseIndex
from assay.engines.dense._recall import Recall, recall
from assay.engines.vectors.packing import PRECISIONS, pack, unpack, width
from assay.engines.vectors.stored_vectors import Stored

__all__ = ["PRECISIONS", "DenseIndex", "Recall", "Stored", "pack", "recall", "unpack", "width"]
