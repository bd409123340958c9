"""A corpus that reads its documents again, one at a time, whenever it is asked for them."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from assay.records import Document
from assay.records.skipped_files import SkippedFiles

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


Read = Callable[[DocumentRequest, SkippedFiles], Iterator[Document]]
"""Yields documents with what is requested, and counts the files that it skips."""


class StreamedCorpus:
    """A ``Corpus`` made of a name and a way to read; ``limit`` is the largest file in bytes."""

    def __init__(
        self, name: str, read: Read, *, limit: int | None = None, from_files: bool = True
    ) -> None:
        self._name = name
        self._read = read
        self._start = partial(SkippedFiles, limit=limit, from_files=from_files)
        self._skipped = self._start()

    def __repr__(self) -> str:
        return f"corpus {self._name!r}"

    @property
    def name(self) -> str:
        """What to call the corpus in messages and reports."""
        return self._name

    @property
    def skipped(self) -> SkippedFiles:
        """How many files the last reading skipped, by reason, and by ending."""
        return self._skipped

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield every document in a fixed order, holding one at a time."""
        # A new one: an older reading that continues keeps its own.
        self._skipped = skipped = self._start()
        return self._counted(DocumentRequest(texts, hashes, known or {}), skipped)

    def _counted(self, wanted: DocumentRequest, skipped: SkippedFiles) -> Iterator[Document]:
        for document in self._read(wanted, skipped):
            skipped.documents += 1
            yield document
