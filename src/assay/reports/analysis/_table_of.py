"""Rows of values, each beside how it is shown -> a table."""

from collections.abc import Iterable, Sequence

from assay.records import Cell, Table

__all__ = ["Shown", "table_of"]

Shown = tuple[Cell, str]


def table_of(
    titles: Sequence[str],
    rows: Sequence[Sequence[Shown]],
    caption: str,
    *,
    names: Iterable[int] = (),
) -> Table:
    """Put values and texts where a table has them."""
    texts = {(r, c): shown for r, row in enumerate(rows) for c, (_, shown) in enumerate(row)}
    values = [[value for value, _ in row] for row in rows]
    return Table(tuple(titles), values, caption, texts=texts, names=frozenset(names))
