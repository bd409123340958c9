"""The vectors that a dataset and its corpus bring: where they are, and the files once open."""

from dataclasses import dataclass

from assay.models.embedders.given import given
from assay.models.given.location import (
    VectorLocation,
    beside_corpus,
    beside_dataset,
    vectors_at,
)
from assay.models.given.vector_file import VectorFile
from assay.records import Dataset, Embedder
from assay.records.fingerprint import fingerprint_of

__all__ = ["OpenVectors", "VectorPlaces"]


@dataclass(frozen=True, eq=False)
class VectorPlaces:
    """What says where the vectors of a collection are; ``dataset`` has all of its queries.

    ``corpus`` is as the benchmark describes it, and ``queries`` what it says of the vectors of the
    dataset: None where the dataset speaks for itself. Their paths are relative to ``home``.
    """

    dataset: Dataset
    corpus: object = None
    queries: object = None
    home: str = ""

    def of_documents(self) -> VectorLocation | None:
        """Find the vectors of documents."""
        if self.corpus is not None:
            return beside_corpus(self.corpus, relative_to=self.home)
        if self.dataset.documents:
            return beside_dataset(self.dataset.home, documents=True)
        return beside_corpus(self.dataset.corpus, relative_to=self.dataset.home)

    def of_queries(self) -> VectorLocation | None:
        """Find the vectors of queries."""
        if self.queries is not None:
            return vectors_at(self.queries, relative_to=self.home)
        return beside_dataset(self.dataset.home)


@dataclass(frozen=True, eq=False)
class OpenVectors:
    """The vectors of a collection; those of documents only where an index is made of them."""

    queries: VectorFile
    documents: VectorFile | None = None

    @property
    def fingerprint(self) -> str:
        """Name all of them."""
        return fingerprint_of([one.fingerprint for one in (self.documents, self.queries) if one])

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know."""
        return (*(self.documents.notes if self.documents else ()), *self.queries.notes)

    def embedder(self, *, asked: bool) -> Embedder:
        """Make what looks them up; a system that is ``asked`` has documents of its own."""
        return given(documents=None if asked else self.documents, queries=self.queries)
