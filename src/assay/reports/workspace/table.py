"""What the database of a workspace holds, as a table; what lies beside it, as a line."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from assay.records import Table
from assay.reports.cache.size import size
from assay.reports.cache.table import CachePart
from assay.text.count_noun import count_noun
from assay.text.join_list import join_list

__all__ = ["DatabaseFacts", "WorkspaceFacts", "line_beside", "table"]

TITLES = ("kind", "count")
NOUNS = {"builds": "build", "indexes": "index", "vectors": "vector", "tokens": "token vector"}
PLURALS = {"indexes": "indexes"}


class DatabaseFacts(Protocol):
    """The database of a workspace."""

    @property
    def kind(self) -> str:
        """Which database it is: SQLite or PostgreSQL."""

    @property
    def place(self) -> str:
        """Where it is."""

    @property
    def step(self) -> str | None:
        """Which step of the migrations it is at; None if there is none yet."""

    @property
    def bytes(self) -> int:
        """What it takes."""

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind."""


class WorkspaceFacts(Protocol):
    """Where a workspace is, its database, and what lies beside that."""

    @property
    def folder(self) -> Path:
        """Where it is."""

    @property
    def database(self) -> DatabaseFacts:
        """What benchmarks and the service keep."""

    @property
    def beside(self) -> Sequence[CachePart]:
        """What is made again when it is needed."""


def table(state: WorkspaceFacts, *, newest: str) -> Table:
    """Lay out how many there are of each kind."""
    counts = state.database.counts
    rows = [(name.replace("_", " "), number) for name, number in counts.items()]
    texts = {(row, 1): f"{number:,}" for row, (_, number) in enumerate(rows)}
    return Table(TITLES, rows, caption=_caption(state.database, newest), texts=texts)


def line_beside(state: WorkspaceFacts) -> str:
    """Say what is not in the database, and in no backup of it; nothing if there is none."""
    found = [part for part in state.beside if part.count]
    if not found:
        return ""
    named = [
        count_noun(part.count, NOUNS.get(part.name, part.name), PLURALS.get(part.name, ""))
        for part in found
    ]
    total = size(sum(part.bytes for part in found))
    held = f"{join_list(named)} ({total})"
    return f"Outside the database: {held}; rebuilt when needed, not part of a backup."


def _caption(database: DatabaseFacts, newest: str) -> str:
    other = "" if database.step == newest else f" (current: {newest})"
    return f"{database.kind}, {size(database.bytes)}, schema version {database.step}{other}"
