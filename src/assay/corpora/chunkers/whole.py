"""Each document is one chunk."""

from assay.corpora.chunkers._make_chunks import Piece, as_chunks, bare, encoded
from assay.records import Chunked, Chunker, Document

__all__ = ["whole"]


def whole() -> Chunker:
    """Leave documents in one piece."""
    return _chunked


def _chunked(document: Document) -> Chunked:
    data = encoded(document)
    pieces = [Piece((0, len(data)), "document", document.title)]
    empty = bare(document)
    return empty if empty is not None else Chunked(tuple(as_chunks(document, data, pieces)))
