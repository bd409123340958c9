"""A corpus that reads its documents anew, one at a time, whenever it is asked for them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from assay.records import Document

__all__ = ["Asked", "Read", "Streamed"]


class Asked(NamedTuple):
    """What a reader wants of each document."""

    texts: bool
    hashes: bool


Read = Callable[[Asked, Counter[str]], Iterator[Document]]
"""Yields documents with what is asked, and counts what it leaves out by reason."""


class Streamed:
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

    def documents(self, *, texts: bool = True, hashes: bool = True) -> Iterator[Document]:
        """Yield every document in a fixed order, holding one at a time."""
        self._skipped = Counter()  # a new one: an older reading that goes on keeps its own
        return self._read(Asked(texts, hashes), self._skipped)
