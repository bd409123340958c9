"""Tables for a person: coloured and fitted to a terminal, plain and whole in a pipe."""

import shutil
import sys
from typing import TextIO

from assay.records import Table
from assay.reports.layout import StyledText, layout
from assay.text import trusted

__all__ = ["terminal"]

STYLES = {"best": "bold green", "footer": "dim", "rule": "dim", "title": "bold"}


def terminal(table: Table, *, stream: TextIO | None = None) -> None:
    """Print a table."""
    stream = stream or sys.stdout
    if stream.isatty():
        _draw(layout(table, shutil.get_terminal_size().columns), stream)
    else:
        lines = ("".join(piece.text for piece in line) for line in layout(table))
        stream.write("".join(f"{line.rstrip()}\n" for line in lines))


def _draw(lines: list[list[StyledText]], stream: TextIO) -> None:
    from rich.console import Console  # rich is imported only when something is drawn
    from rich.text import Text

    console = Console(file=trusted(stream), highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((piece.text, STYLES.get(piece.kind, "")) for piece in line)))
