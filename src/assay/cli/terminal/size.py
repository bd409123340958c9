"""The size of the terminal that shows stdout, for tables, lines and paragraphs."""

import shutil
import sys

__all__ = ["LOG", "columns", "paragraph_width", "rows"]

WIDEST = 100  # columns of a paragraph: longer lines are hard to read
LOG = 120  # columns of a first screen that goes to a file or a log


def columns() -> int | None:
    """Return the width of the screen that shows stdout; None where nobody looks."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def rows() -> int | None:
    """Return the height of the screen that shows stdout; None where nobody looks."""
    return shutil.get_terminal_size().lines if sys.stdout.isatty() else None


def paragraph_width() -> int:
    """Return how wide paragraphs are: as the terminal, up to what reads well."""
    return min(WIDEST, columns() or WIDEST)
