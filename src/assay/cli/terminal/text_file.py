"""Text files: `-o x.txt` holds what the terminal shows."""

import io
import os
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

import click

from assay.cli.terminal.size import LOG
from assay.columns.files.atomic_write import atomic_write

__all__ = ["TEXT", "is_text", "write_texts"]

TEXT = "txt"
SIZE = {"COLUMNS": str(LOG), "LINES": "10000"}  # of the terminal that a file stands for


class _Page(io.StringIO):
    """Takes text as a terminal does, so that it is laid out for one."""

    def isatty(self) -> bool:
        return True


def is_text(path: str) -> bool:
    """Tell whether a file is to hold what the terminal shows."""
    return Path(path).suffix.lower() == f".{TEXT}"


def write_texts(
    paths: Sequence[str], show: Callable[[], None], *, wrote: Callable[[str], None]
) -> None:
    """Write what ``show`` prints to each text file among the paths."""
    files = [path for path in paths if is_text(path)]
    content = _shown(show).encode() if files else b""
    for path in files:
        with atomic_write(path) as new:
            new.write_bytes(content)
        wrote(path)


def _shown(show: Callable[[], None]) -> str:
    """Return what a function prints to stdout, without colours, whatever the window's size is."""
    page, known = _Page(), {name: os.environ.get(name) for name in SIZE}
    os.environ.update(SIZE)
    try:
        with redirect_stdout(page):
            show()
    finally:
        for name, value in known.items():
            os.environ.pop(name)
            os.environ.update({} if value is None else {name: value})
    lines = click.unstyle(page.getvalue()).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)
