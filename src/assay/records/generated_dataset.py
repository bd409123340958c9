"""What a family makes: a dataset whose truth is known, and what belongs beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.records.dataset import Dataset
from assay.records.document import Corpus

if TYPE_CHECKING:
    from assay.records.syntax import Call, Definition
    from assay.records.track import Track

__all__ = ["Code", "GeneratedDataset", "Singles"]

Singles = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class GeneratedDataset:
    """A dataset, with its documents inside or as a corpus that can be read.

    Vectors are in the order of the documents and of the queries. ``left_out`` counts what could
    have become a query and did not, by reason; ``counted`` is the number of documents of a corpus
    that stays where it is.
    """

    dataset: Dataset
    corpus: Corpus | None = None
    document_vectors: Singles | None = field(default=None, compare=False)
    query_vectors: Singles | None = field(default=None, compare=False)
    left_out: Mapping[str, int] = field(default_factory=dict)
    counted: int = 0

    @property
    def documents(self) -> int:
        """How many documents the queries are run over."""
        return len(self.dataset.documents) or self.counted


@dataclass(frozen=True, slots=True)
class Code:
    """The code that a family works on: where it is, and what reads it and takes it apart.

    ``definitions`` and ``calls`` take a text and the name of its language.
    """

    where: Mapping[str, Any]
    open_corpus: Callable[..., Corpus]
    definitions: "Callable[[str, str], Sequence[Definition]]"
    calls: "Callable[[str, str], Sequence[Call]]"
    track: "Track"
