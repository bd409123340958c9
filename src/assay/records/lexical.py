"""What searching is handed of an index of words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from assay.records.arrays import Floats, Ints
from assay.records.chunk import Chunk
from assay.records.search import FoundRows

__all__ = ["LexicalIndex"]


class LexicalIndex(Protocol):
    """Finds chunks by the words of a query. A chunk is known by its row, a number from 0.

    Any text is a query, and none of it is syntax. A row that was removed is never found again,
    from the commit on; what was not committed is lost with the process.
    """

    @property
    def fingerprint(self) -> str:
        """Change whenever the scores of the same chunks may: engine, tokens, weights, settings."""

    @property
    def documents(self) -> int:
        """How many chunks can be found."""

    @property
    def deleted(self) -> int:
        """How many removed chunks still weigh in the statistics (and on the disk)."""

    @property
    def size_bytes(self) -> int:
        """What the index takes on disk."""

    def add(self, rows: Sequence[int], chunks: Sequence[Chunk]) -> None:
        """Take in chunks under rows that are not in the index."""

    def remove(self, rows: Iterable[int]) -> None:
        """Forget rows; what is not there is no error."""

    def commit(self) -> None:
        """Make all that was added and removed durable, and visible to searches."""

    def close(self) -> None:
        """Let go of the files; what was not committed is dropped."""

    def search(self, text: str, depth: int, *, rows: Ints | None = None) -> FoundRows:
        """Return the best chunks for a query, of kind bm25; none if no word is known.

        Of ``rows`` only these, with the scores that they have among all.
        """

    def scores(self, text: str, rows: Sequence[int]) -> Floats:
        """Return the score of each row, 0 where nothing matches."""

    def coverage(self, text: str, rows: Sequence[int]) -> Floats:
        """Return the share of a query's words that each row holds in any field that is searched.

        Each word counts once, by its rarity in bodies, and a word that no chunk holds as the
        rarest; 1 where a chunk holds them all.
        """

    def holding(self, text: str) -> Callable[[Sequence[str]], Floats]:
        """Return what gives the share of a query's words that any texts hold, weighed as above."""

    def explain(self, text: str, row: int) -> list[Mapping[str, object]]:
        """Return what each term gained in each field, the most first: field, term and score."""

    def rank_of(self, text: str, row: int) -> int | None:
        """Return the rank, from 1, that a row has without any limit of depth."""
