"""Each document is one chunk."""

from assay.corpora.chunkers._make_chunks import ChunkSpan, empty_chunks, encode, make_chunks
from assay.records import ChunkedDocument, Chunker, Document

__all__ = ["whole"]


def whole() -> Chunker:
    """Keep each document as one chunk."""
    return _chunked


def _chunked(document: Document) -> ChunkedDocument:
    data = encode(document)
    pieces = [ChunkSpan((0, len(data)), "document", document.title)]
    empty = empty_chunks(document)
    return (
        empty if empty is not None else ChunkedDocument(tuple(make_chunks(document, data, pieces)))
    )
