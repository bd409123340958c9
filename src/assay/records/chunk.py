"""What an index holds: pieces of documents that know where they stand."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from assay.records.document import Document

__all__ = [
    "Chunk",
    "ChunkedDocument",
    "Chunker",
    "chunk_id",
    "chunk_span",
    "document_of_unit",
    "split_place",
    "symbol_id",
]

PLACE = re.compile(r"(.+?)(::.+|:\d{1,9}(?:-\d{1,9})?|#\d{1,15}-\d{1,15})", re.DOTALL)


def chunk_id(document: str, start: int, end: int) -> str:
    """Name a chunk by its document and its bytes."""
    return f"{document}#{start}-{end}"


def chunk_span(name: str) -> tuple[str, int, int]:
    """Take the name of a chunk apart: its document, and its first and last byte."""
    document, _, span = name.rpartition("#")
    start, _, end = span.partition("-")
    return document, int(start), int(end)


def symbol_id(document: str, symbol: str) -> str:
    """Name a symbol by the document that defines it, and its qualified name."""
    return f"{document}::{symbol}"


def document_of_unit(name: str, unit: str) -> str:
    """Return the document of a result, given what the unit of evaluation is.

    >>> document_of_unit("a.py#0-12", "chunk"), document_of_unit("a.py::Client.send", "symbol")
    ('a.py', 'a.py')
    """
    mark = {"chunk": "#", "symbol": "::"}.get(unit)
    return name.rpartition(mark)[0] if mark else name


def split_place(name: str) -> tuple[str, str]:
    """Take the name of a place apart: its document, and the symbol, lines or bytes in it, if any.

    >>> split_place("a.py::Client.send"), split_place("a.py:3-9"), split_place("a.py")
    (('a.py', '::Client.send'), ('a.py', ':3-9'), ('a.py', ''))
    """
    found = PLACE.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document's text.

    ``start`` and ``end`` are bytes of the document's text in UTF-8, ``lines`` its first and last
    line, from 1. ``symbols`` are the qualified names that are defined in it, ``kind`` says what it
    is (function, class, module, section, paragraph, text, ...). ``title`` is what stands above it:
    the document's title, or the headings that it is under. ``page`` is the page (or slide, or cell)
    on which it begins, from 1; 0 if the document has none.
    """

    document: str
    start: int
    end: int
    lines: tuple[int, int]
    text: str
    path: str = ""
    title: str = ""
    symbols: tuple[str, ...] = ()
    kind: str = "text"
    page: int = 0

    @property
    def id(self) -> str:
        """Name the chunk; opaque everywhere but where chunks are made."""
        return chunk_id(self.document, self.start, self.end)

    def is_at(self, part: str) -> bool:
        """Tell whether it defines a symbol (``::NAME``), or overlaps ``:LINES`` or ``#BYTES``."""
        if part.startswith("::"):
            return any(f".{name}".endswith(f".{part[2:]}") for name in self.symbols)
        first, _, last = part[1:].partition("-")
        if part.startswith("#"):
            return self.start < int(last) and self.end > int(first)
        return self.lines[0] <= int(last or first) and self.lines[1] >= int(first)


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """The chunks of one document, in order; ``fallback`` if it was meant to parse and did not."""

    chunks: tuple[Chunk, ...]
    fallback: bool = False


Chunker = Callable[[Document], ChunkedDocument]
"""Takes one document apart. Joined, the texts of its chunks without overlap are its text."""
