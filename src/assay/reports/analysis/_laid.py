"""Rows of values, each beside how it is shown -> a table."""

from collections.abc import Sequence

from assay.records import Cell, Table

__all__ = ["Shown", "laid"]

Shown = tuple[Cell, str]


def laid(titles: Sequence[str], rows: Sequence[Sequence[Shown]], caption: str) -> Table:
    """Put values and texts where a table has them."""
    texts = {(r, c): shown for r, row in enumerate(rows) for c, (_, shown) in enumerate(row)}
    return Table(tuple(titles), [[value for value, _ in row] for row in rows], caption, texts=texts)
