"""Tables for a person: drawn by rich on a terminal, aligned plain text in a pipe."""

import sys
from typing import TextIO

from assay.records import Cell, Table
from assay.reports.text import text

__all__ = ["terminal"]

NAMES = {"document", "metric", "query", "run"}


def terminal(table: Table, *, stream: TextIO | None = None) -> None:
    """Print a table."""
    stream = stream or sys.stdout
    if stream.isatty():
        _draw(table, stream)
    else:
        stream.write(_align(table))


def _align(table: Table) -> str:
    """Line up the columns with spaces: numbers to the right, names to the left."""
    shown = [[text(table, r, c) for c in range(len(row))] for r, row in enumerate(table.rows)]
    lines = [list(table.titles), *shown, *([_footer(cell) for cell in row] for row in table.footer)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    numeric = _numeric(table)
    printed = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    ]
    rule = "-" * max(map(len, printed))
    body, footer = printed[1 : len(shown) + 1], printed[len(shown) + 1 :]
    parts = [*([table.caption] if table.caption else []), printed[0], rule, *body]
    return "\n".join([*parts, *([rule, *footer] if footer else [])]) + "\n"


def _draw(table: Table, stream: TextIO) -> None:
    from rich import box  # rich is imported only when something is drawn
    from rich.console import Console
    from rich.table import Table as Drawing
    from rich.text import Text

    drawing = Drawing(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=table.caption or None,
        title_justify="left",
        title_style="bold",
    )
    for title, right in zip(table.titles, _numeric(table), strict=True):
        drawing.add_column(
            title, justify="right" if right else "left", overflow="fold", no_wrap=right
        )
    for r, row in enumerate(table.rows):
        last = r == len(table.rows) - 1
        cells = [
            Text(text(table, r, c), style="bold green" if (r, c) in table.best else "")
            for c in range(len(row))
        ]
        drawing.add_row(*cells, end_section=last)
    for line in table.footer:
        drawing.add_row(*(Text(_footer(cell), style="dim") for cell in line))
    Console(file=stream).print(drawing)


def _numeric(table: Table) -> list[bool]:
    """Tell the columns that are set to the right: all but names."""
    return [title not in NAMES for title in table.titles]


def _footer(value: Cell) -> str:
    return "" if value is None else str(value)
