"""How a value reads: four decimals, minus signs that line up, nothing for nothing."""

from assay.records import Cell, Table

__all__ = ["text"]


def text(table: Table, row: int, column: int) -> str:
    """Return what is shown of one cell."""
    return table.texts.get((row, column), _plain(table.rows[row][column]))


def _plain(value: Cell) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
