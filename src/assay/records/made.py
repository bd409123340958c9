"""What a family makes: a dataset whose truth is known, and what belongs beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.records.dataset import Dataset
from assay.records.document import Corpus

__all__ = ["Made", "Singles"]

Singles = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class Made:
    """A dataset, with its documents inside or as a corpus that can be read.

    Vectors stand in the order of the documents and of the queries. ``left_out`` counts what could
    have become a query and did not, by reason.
    """

    dataset: Dataset
    corpus: Corpus | None = None
    document_vectors: Singles | None = field(default=None, compare=False)
    query_vectors: Singles | None = field(default=None, compare=False)
    left_out: Mapping[str, int] = field(default_factory=dict)
