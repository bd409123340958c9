"""What the spine is handed of a configuration that was really built."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from assay.records import Configuration, Corpus, Floats, Query, StructureStudy, Track

__all__ = ["AnswerCheck", "Build", "BuiltSearch", "KnownDocuments"]


@dataclass(frozen=True, slots=True)
class KnownDocuments:
    """The documents that a system of others may return, by id, each with its path.

    They are ``complete`` if they are those of a corpus. Without a corpus they are the judged ones,
    and a system may return others.
    """

    paths: Mapping[str, str]
    complete: bool = True

    @property
    def source(self) -> str:
        """Say where they are known from."""
        return "the corpus" if self.complete else "the judgments"

    @property
    def source_has(self) -> str:
        """Say the same as the beginning of a sentence."""
        return f"{self.source} {'has' if self.complete else 'have'}"


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """What is odd about answers: documents that the corpus does not have, and whether all fails."""

    unknown: frozenset[str] = frozenset()
    failure: str = ""


class BuiltSearch(Protocol):
    """An index that can be asked, and what building it took."""

    @property
    def fingerprint(self) -> str:
        """Name what was really done: content, chunks, weights, settings that take effect."""

    @property
    def indexing(self) -> Mapping[str, Any]:
        """What building took: files, documents, chunks, tokens, seconds, rates, memory."""

    @property
    def storage(self) -> Mapping[str, Any]:
        """What a search needs on disk: index_bytes, bytes_per_document."""

    @property
    def notes(self) -> Sequence[str]:
        """What a reader must know."""

    @property
    def timed(self) -> bool:
        """Whether the time of an answer says anything: not for answers that were recorded."""

    @property
    def concurrency(self) -> int:
        """How many queries are asked at once."""

    def found(
        self, query: Query, *, exclude: Collection[str] = ()
    ) -> tuple[Sequence[str], Floats, Mapping[str, float]]:
        """Return documents, best first, their scores, and the milliseconds of each stage.

        Documents in ``exclude`` (ids or paths) are left out. ``waits`` among the stages is the time
        of attempts that failed and of the pauses after them.
        """

    def studied(self, query: Query) -> StructureStudy | None:
        """Rank a query in every way that structure is compared with; None where it ranks nothing.

        Never timed.
        """

    def checked(self, answers: Mapping[str, Sequence[str]]) -> AnswerCheck:
        """Look through the answers to all judged queries, if others built what gave them."""

    def close(self) -> None:
        """Let go of files and memory."""


class Build(Protocol):
    """Builds a configuration over a corpus."""

    def __call__(
        self, corpus: Corpus, configuration: Configuration, *, folder: Path, track: Track
    ) -> BuiltSearch:
        """Build; ``folder`` is empty, and the index lives in it."""
