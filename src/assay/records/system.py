"""Search that somebody else does: systems that are asked as they are, stores that we fill."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from assay.records.arrays import Floats, Ints
from assay.records.dataset import Query
from assay.records.model import Vectors
from assay.records.search import FoundRows
from assay.records.track import Track, untracked

__all__ = ["Store", "System", "SystemReply"]


@dataclass(frozen=True, slots=True, eq=False)
class SystemReply:
    """What a system answered: ids of documents, best first, with scores that never rise.

    A document may come several times (its chunks); the first counts. ``waited_ms`` is the time of
    attempts that failed and of the pauses after them: no part of the latency.
    """

    documents: Sequence[str]
    scores: Floats
    waited_ms: float = 0.0
    attempts: int = 1


class System(Protocol):
    """A search that runs already, with documents of its own: it is asked as it is.

    What it may have besides: ``timed`` (False: the time of an answer says nothing), ``reach()``,
    which connects, ``trial()``, which asks one question before anything is built, and
    ``shown(text, most)``, which takes secrets out of a text and shortens it.
    """

    @property
    def fingerprint(self) -> str:
        """Name what is asked, as far as it can be known from here; never a secret."""

    @property
    def concurrency(self) -> int:
        """How many queries may be asked at once."""

    @property
    def notes(self) -> Sequence[str]:
        """What a reader must know."""

    def search(self, query: Query, top: int) -> SystemReply:
        """Ask for the best ``top`` documents. Safe to call from several threads."""

    def close(self) -> None:
        """Let go of connections."""


class Store(Protocol):
    """A database that is filled with chunks and vectors, and then searches them itself.

    Rows are the numbers under which our own index keeps the chunks: a store gives them back.
    """

    @property
    def fingerprint(self) -> str:
        """Name the settings that decide what is found: versions too, never a secret."""

    @property
    def notes(self) -> Sequence[str]:
        """What a reader must know."""

    @property
    def approximate(self) -> bool:
        """Whether dense search may miss some: its recall is then measured."""

    def open(self) -> None:
        """Start and ask what must be there before it is filled: no part of the time of filling.

        What is known then, and after filling, is kept: a server that stops takes none of it away.
        """

    def fill(
        self,
        chunks: Iterable[tuple[Ints, Sequence[str], Vectors | None]],
        *,
        dimension: int,
        total: int,
        track: Track = untracked,
    ) -> None:
        """Take rows, texts and unit vectors (None: no dense search is wanted), batch by batch."""

    def dense(self, vector: Vectors, depth: int) -> FoundRows:
        """Return the rows nearest to a unit vector, with cosines, kind "cosine"."""

    def lexical(self, text: str, depth: int) -> FoundRows:
        """Return the rows that hold the words of a text; any text is a safe query."""

    def size_bytes(self) -> int:
        """Count the bytes that a search needs, on disk or in memory."""

    def close(self) -> None:
        """Remove what was filled in, and let go of the connection; refuse with what stays."""
