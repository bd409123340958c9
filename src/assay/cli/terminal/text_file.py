"""Text files: `-o x.txt` holds what the terminal shows."""

import io
import os
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

import click

from assay.columns.files.atomic_write import atomic_write

__all__ = ["TEXT", "is_text", "write_texts"]

TEXT = "txt"
WIDTH = 100  # columns where stdout is not a terminal


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
    """Return what a function prints to stdout, without colours, as wide as the terminal."""
    page, known = _Page(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = known or str(_terminal_width())
    try:
        with redirect_stdout(page):
            show()
    finally:
        os.environ.pop("COLUMNS")
        if known is not None:
            os.environ["COLUMNS"] = known
    lines = click.unstyle(page.getvalue()).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _terminal_width() -> int:
    try:
        return os.get_terminal_size().columns
    except OSError:
        return WIDTH
