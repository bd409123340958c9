"""What a workspace holds, as a table: a row for each kind."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from assay.records import Table
from assay.reports.cache.size import size

__all__ = ["CachePart", "table"]

TITLES = ("kind", "count", "size", "last used")
MEANINGS = {"tapes": "tapes (stage outputs)"}


class CachePart(Protocol):
    """All of one kind; ``used`` is in seconds since 1970."""

    @property
    def name(self) -> str:
        """What it is called: tapes, builds, ..."""

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def bytes(self) -> int:
        """What all of them take."""

    @property
    def used(self) -> float | None:
        """When one was last used."""

    @property
    def limited(self) -> bool:
        """Whether they count towards the limit."""

    @property
    def place(self) -> Path:
        """Where they are."""


def table(parts: Sequence[CachePart], *, limit: int) -> Table:
    """Lay out how much there is of each kind, and how much of the limit is taken."""
    taken = sum(part.bytes for part in parts if part.limited)
    rows = [(part.name, part.count, part.bytes, _time(part.used)) for part in parts]
    texts = {(row, 0): MEANINGS.get(part.name, part.name) for row, part in enumerate(parts)}
    texts |= {(row, 1): f"{part.count:,}" for row, part in enumerate(parts)}
    texts |= {(row, 2): size(part.bytes) for row, part in enumerate(parts)}
    named = ", ".join(part.name for part in parts if part.limited)
    caption = f"{size(taken)} of {size(limit)} used by {named} (limit: ASSAY_CACHE_LIMIT)"
    return Table(TITLES, rows, caption=caption, texts=texts)


def _time(seconds: float | None) -> str | None:
    """Write a time as the clock on the wall has it."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")
