"""Vectors that the corpus and the dataset bring, looked up by the ids of documents and queries."""

from collections.abc import Sequence

from assay.errors import InputError
from assay.models.given.location import missing_vectors
from assay.models.given.vector_file import VectorFile
from assay.records import Track, untracked
from assay.records.model import Embedder, Vectors

__all__ = ["given"]


def given(*, documents: VectorFile | None = None, queries: VectorFile | None = None) -> Embedder:
    """Look vectors up: in the place of a text it takes the id of a document or query.

    Without ``documents`` those of queries are for somebody else's, and keep their lengths.
    """
    if documents is None and queries is None:
        raise missing_vectors("document")
    if documents is not None and queries is not None and documents.dimension != queries.dimension:
        problem = (
            f"the vectors of queries have {queries.dimension:,} dimensions, those of documents "
            f"{documents.dimension:,} ({documents.name})"
        )
        hint = "embed queries and documents with the same model"
        raise InputError(problem, where=queries.name, hint=hint)
    return _Given(documents, queries)


class _Given:
    name = "given"
    by_id = True

    def __init__(self, documents: VectorFile | None, queries: VectorFile | None) -> None:
        self._documents, self._queries = documents, queries
        self.dimension = next(one.dimension for one in (documents, queries) if one is not None)
        self.fingerprint = documents.fingerprint if documents else ""
        self.query_fingerprint = queries.fingerprint if queries else ""

    def has(self, document: str) -> bool:
        """Tell whether a document has a vector."""
        return self._documents is not None and document in self._documents

    def count(self, text: str) -> int:
        """Count nothing: no text is read."""
        return 0

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        """Return the vectors of ids, which stand in the place of texts."""
        file = self._queries if query else self._documents
        if file is None:
            raise missing_vectors("query" if query else "document")
        return file.vectors(texts, scaled=self._documents is not None)
