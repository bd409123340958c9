"""A table before it is drawn: titles, rows of plain values, and which cells are marked."""

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Cell", "Table"]

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of values at full precision; a format decides how many digits it shows.

    ``best`` names the cells to mark as (row, column); ``texts`` replaces what is shown of a cell
    by a text of its own, e.g. a value with its interval. ``names`` are columns of words, beside
    those whose title says so: they are set to the left, and shortened where they are too wide.
    """

    titles: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    best: frozenset[tuple[int, int]] = frozenset()
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    footer: Sequence[Sequence[Cell]] = ()
    names: frozenset[int] = frozenset()
