"""What an index holds: pieces of documents that know where they stand."""

from collections.abc import Callable
from dataclasses import dataclass

from assay.records.document import Document

__all__ = ["Chunk", "ChunkedDocument", "Chunker"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document's text.

    ``start`` and ``end`` are bytes of the document's text in UTF-8, ``lines`` its first and last
    line, from 1. ``symbols`` are the qualified names that are defined in it, ``kind`` says what it
    is (function, class, module, section, paragraph, text, ...). ``title`` is what stands above it:
    the document's title, or the headings that it is under.
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

    @property
    def id(self) -> str:
        """Name the chunk; opaque everywhere but where chunks are made."""
        return f"{self.document}#{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """The chunks of one document, in order; ``fallback`` if it was meant to parse and did not."""

    chunks: tuple[Chunk, ...]
    fallback: bool = False


Chunker = Callable[[Document], ChunkedDocument]
"""Takes one document apart. Joined, the texts of its chunks without overlap are its text."""
