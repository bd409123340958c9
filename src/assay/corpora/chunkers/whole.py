"""Each document is one chunk."""

from collections.abc import Callable

from assay.corpora.chunkers._make_chunks import ChunkSpan, empty_chunks, encode, make_chunks
from assay.records import ChunkedDocument, Chunker, Document

__all__ = ["whole"]


def whole(*, keep: Callable[[str], bool] | None = None) -> Chunker:
    """Keep each document as one chunk.

    ``keep`` says of a document without a word whether it is one, too: it may have a vector.
    """

    def chunked(document: Document) -> ChunkedDocument:
        empty = empty_chunks(document)
        if empty is not None and (empty.chunks or keep is None or not keep(document.id)):
            return empty
        data = encode(document)
        pieces = [ChunkSpan((0, len(data)), "document", document.title)]
        return ChunkedDocument(tuple(make_chunks(document, data, pieces)))

    return chunked
