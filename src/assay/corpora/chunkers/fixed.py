"""Windows of a fixed number of tokens."""

from collections.abc import Callable, Iterator
from functools import partial

from assay.corpora.chunkers._make_chunks import ChunkSpan, empty_chunks, encode, make_chunks
from assay.corpora.chunkers._settings import tokens
from assay.corpora.text.ruler import Ruler, Span, by_tokens
from assay.records import ChunkedDocument, Chunker, Document

__all__ = ["fixed"]

Count = Callable[[str], int]


def fixed(*, chunk_size: int = 256, overlap: int = 0, count: Count | None = None) -> Chunker:
    """Split documents into windows of a fixed number of tokens.

    Each chunk but the first begins with the last ``overlap`` tokens of the one before.
    Tokens are estimated (a token is up to eight letters, three digits, or a mark) unless ``count``
    counts a word's tokens.
    """
    tokens("fixed", chunk_size, overlap)
    return partial(_chunked, chunk_size=chunk_size, overlap=overlap, count=count)


def _chunked(
    document: Document, *, chunk_size: int, overlap: int, count: Count | None
) -> ChunkedDocument:
    data = encode(document)
    if (empty := empty_chunks(document)) is not None:
        return empty
    spans = _windows(by_tokens(data, count), chunk_size, overlap)
    pieces = (ChunkSpan(span, title=document.title) for span in spans)
    return ChunkedDocument(tuple(make_chunks(document, data, pieces)))


def _windows(ruler: Ruler, most: int, overlap: int) -> Iterator[Span]:
    start, end = 0, ruler.reach(0, most)
    while end < len(ruler.data):
        yield start, end
        again = ruler.back(end, overlap)
        start = again if again > start else end  # a token that counts as many leaves no overlap
        end = max(ruler.reach(start, most), ruler.reach(end, 1))
    yield start, end
