"""A corpus -> its size, and some of its documents that stand for all."""

import random
import time
from dataclasses import dataclass, replace

from assay.records import Corpus, Document, Track, untracked

__all__ = ["Sample", "look_at"]

SAMPLE = 24  # documents that are tried
LONGEST = 100_000  # characters of one that are tried: a chunk costs the same wherever it stands


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """How many documents and bytes a corpus has; ``some`` of them stand for all.

    ``seconds`` is how long reading it took.
    """

    documents: int
    bytes: int
    seconds: float
    some: tuple[Document, ...]

    @property
    def share(self) -> float:
        """How much of the corpus the documents at hand are, by their bytes."""
        held = sum(_size(one) for one in self.some)
        return min(1.0, held / self.bytes) if self.bytes else 1.0

    def __str__(self) -> str:
        if self.share == 1.0:
            return "all documents"
        return f"{len(self.some):,} of {self.documents:,} documents"


def look_at(corpus: Corpus, *, seed: int = 0, track: Track = untracked) -> Sample:
    """Read a corpus once, and keep a sample of it.

    Each document has the same chance to be kept (algorithm R of Vitter 1985, "Random sampling with
    a reservoir", doi:10.1145/3147.3165).
    """
    chance = random.Random(seed)  # noqa: S311
    some: list[Document] = []
    count = total = 0
    began = time.perf_counter()
    for document in track(
        corpus.documents(hashes=False), f"looking at {corpus.name}", unit="files"
    ):
        count, total = count + 1, total + _size(document)
        at = count - 1 if count <= SAMPLE else chance.randrange(count)
        if at < SAMPLE:
            some[at : at + 1] = [_cut(document)]
    seconds = time.perf_counter() - began
    return Sample(count, total, seconds, tuple(some))


def _cut(document: Document) -> Document:
    if len(document.text) <= LONGEST:
        return document
    return replace(document, text=document.text[:LONGEST], content_hash="", stamp="", size_bytes=0)


def _size(document: Document) -> int:
    return len(document.text.encode("utf-8", "replace"))
