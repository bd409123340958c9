"""A corpus that reads its documents again, one at a time, whenever it is asked for them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from assay.records import Document

__all__ = ["DocumentRequest", "Read", "StreamedCorpus"]


class DocumentRequest(NamedTuple):
    """What a reader wants of each document, and which stamps it has of them by id."""

    texts: bool
    hashes: bool
    known: Mapping[str, str] = MappingProxyType({})

    @property
    def content(self) -> bool:
        """Whether the whole content is needed."""
        return self.texts or self.hashes

    def has(self, document: str, stamp: str) -> bool:
        """Say whether a document is known as it is."""
        return self.known.get(document) == stamp


Read = Callable[[DocumentRequest, Counter[str]], Iterator[Document]]
"""Yields documents with what is asked, and counts what it leaves out by reason."""


class StreamedCorpus:
    """A ``Corpus`` made of a name and a way to read."""

    def __init__(self, name: str, read: Read) -> None:
        self._name = name
        self._read = read
        self._skipped: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"corpus {self._name!r}"

    @property
    def name(self) -> str:
        """What to call the corpus in messages and reports."""
        return self._name

    @property
    def skipped(self) -> Mapping[str, int]:
        """How many files the last reading left out, by reason."""
        return dict(sorted(self._skipped.items()))

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield every document in a fixed order, holding one at a time."""
        self._skipped = Counter()  # a new one: an older reading that goes on keeps its own
        return self._read(DocumentRequest(texts, hashes, known or {}), self._skipped)
