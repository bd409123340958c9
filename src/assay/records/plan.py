"""What a benchmark will cost, before anything starts: work, time, disk, and what each rests on."""

from dataclasses import dataclass
from typing import Literal

from assay.records.resolution import UnknownSymbol

__all__ = [
    "Estimate",
    "Plan",
    "PlannedCollection",
    "PlannedIndex",
    "PlannedRun",
    "PlannedStage",
]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure that nobody has measured yet, and what it rests on."""

    value: float
    rests_on: str


@dataclass(frozen=True, slots=True)
class PlannedCollection:
    """One dataset and its corpus; ``bytes`` are those of all texts, ``content`` names them.

    ``unresolved`` counts the references that are not found in the corpus, ``without_relevant`` the
    queries without a relevant document, and ``unread`` names files that could not be read. Where
    chunks or symbols are evaluated, ``unknown_symbols`` are not in the documents that were found.
    """

    name: str
    queries: int
    documents: int
    bytes: int
    content: str = ""
    unresolved: int = 0
    without_relevant: int = 0
    unread: str = ""
    unknown_symbols: tuple[UnknownSymbol, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A configuration that will be run; ``aliases`` are others that come to the same."""

    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedIndex:
    """An index that some runs search; one that is ``made`` already costs nothing.

    ``reading`` are the seconds for reading, chunking and words, ``embedding`` those for vectors,
    ``disk`` the bytes, with those of vectors to remember. ``remembered`` is the share of its
    vectors that are there already. What a run needs for itself alone, such as a store that it
    fills, is not ``kept``.
    """

    key: str
    collection: str
    runs: tuple[str, ...]
    made: bool
    chunks: Estimate
    reading: Estimate
    embedding: Estimate
    disk: Estimate
    model: str = ""
    remembered: float = 0.0
    kept: bool = True

    @property
    def seconds(self) -> float:
        """How long it takes in all."""
        return self.reading.value + self.embedding.value


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage, a whole search, or a study of structure, over all queries of a collection.

    Of its ``searches`` (a query asked once) some are ``recorded`` already; ``milliseconds`` are
    those of one, and ``seconds`` of all that are left.
    """

    key: str
    name: str
    kind: Literal["stage", "search", "study"]
    collection: str
    runs: tuple[str, ...]
    searches: int
    recorded: int
    milliseconds: Estimate
    seconds: float
    disk: Estimate

    @property
    def left(self) -> int:
        """How many searches are still to be done."""
        return self.searches - self.recorded


@dataclass(frozen=True, slots=True)
class Plan:
    """What a benchmark comes to, and what it will cost.

    ``searches_alone`` counts the searches if nothing were shared. Studies of structure take time,
    but are neither counted as stages nor as searches. In a ``race`` all of it is the most that can
    be: configurations that are beaten are asked less.
    """

    name: str
    cells: int
    runs: tuple[PlannedRun, ...]
    collections: tuple[PlannedCollection, ...]
    indexes: tuple[PlannedIndex, ...]
    stages: tuple[PlannedStage, ...]
    searches_alone: int
    asks: int
    builds: int = 1
    merged: tuple[str, ...] = ()
    race: bool = False

    @property
    def searches(self) -> int:
        """How many searches it consists of, done or not."""
        return sum(one.searches for one in self.stages if one.kind != "study")

    @property
    def searches_left(self) -> int:
        """How many searches are to be done now."""
        return sum(one.left for one in self.stages if one.kind != "study")

    @property
    def building_s(self) -> float:
        """How long all indexes take that are not there yet, in seconds."""
        return sum(one.seconds for one in self.indexes)

    @property
    def searching_s(self) -> float:
        """How long all searches and studies take that are left, in seconds."""
        return sum(one.seconds for one in self.stages)

    @property
    def disk_bytes(self) -> float:
        """How much the workspace will grow."""
        kept = sum(one.disk.value for one in self.indexes if one.kept)
        return kept + sum(one.disk.value for one in self.stages)
