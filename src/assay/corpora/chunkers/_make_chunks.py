"""Spans of a document -> its chunks."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assay.corpora.text.ruler import Span
from assay.records import Chunk, ChunkedDocument, Document

__all__ = ["ChunkSpan", "empty_chunks", "encode", "make_chunks"]


class ChunkSpan(NamedTuple):
    """A span, and what is known of it."""

    span: Span
    kind: str = "text"
    title: str = ""
    symbols: tuple[str, ...] = ()


def encode(document: Document) -> bytes:
    """Return a document's text in UTF-8; half a surrogate pair, which no text has, is a ``?``."""
    return document.text.encode("utf-8", "replace")


def empty_chunks(document: Document) -> ChunkedDocument | None:
    """Return the chunks of a document without any word: none, or an empty one for its title."""
    if document.text and not document.text.isspace():
        return None
    if not document.title.strip():
        return ChunkedDocument(())
    piece = ChunkSpan((0, 0), "document", document.title)
    return ChunkedDocument(tuple(make_chunks(document, b"", [piece])))


def is_paged(document: Document) -> bool:
    """Tell whether form feeds part the pages of a document; in a program they mean nothing."""
    return bool(document.converter) and "pages" in document.metadata


def make_chunks(document: Document, data: bytes, pieces: Iterable[ChunkSpan]) -> Iterator[Chunk]:
    """Make chunks of pieces whose starts are in order; they may overlap."""
    seen, line = 0, 1  # the line on which the byte `seen` stands
    turned, page = 0, int(is_paged(document))  # the page on which the byte `turned` stands
    for (start, end), kind, title, symbols in pieces:
        line += data.count(b"\n", seen, start)
        seen = start
        if page:
            begins = start + len(data[start:end]) - len(data[start:end].lstrip())
            page += data.count(b"\f", turned, begins)
            turned = max(turned, begins)
        last = line + data.count(b"\n", start, max(start, end - 1))
        yield Chunk(
            document=document.id,
            start=start,
            end=end,
            lines=(line, last),
            text=data[start:end].decode(),
            path=document.path,
            title=title,
            symbols=symbols,
            kind=kind,
            page=page,
        )
