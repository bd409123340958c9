"""What a terminal would cut in the middle of a word is broken between words; files stay whole."""

import os
import re
import sys
from typing import TextIO

from assay.text import sanitize

__all__ = ["wrapped"]

LEAST = 40  # columns below which nothing is gained
DEEPER = 2  # by how much further lines are indented
WORD = re.compile(r"[ \t]*(?:`[^`]{1,50}`[^ \t]*|[^ \t]+)")  # or a command, if it is short


def wrapped(text: str, *, indent: int = DEEPER, out: bool = False, lines: bool = False) -> str:
    """Break a line at the width of the terminal that shows stderr, if one does.

    ``out`` is for what goes to stdout, ``lines`` for text that we laid out in several lines: else a
    line break came with somebody's data, and is spelled out. Further lines of a line are indented
    by ``indent`` more than it. A long word, such as a path, and a command in backticks stay whole:
    they can be copied.
    """
    text = sanitize(text, keep="\n" if lines else "")
    width = _width(sys.stdout if out else sys.stderr)
    if not width:
        return text
    return "\n".join(_broken(line, max(width, LEAST), indent) for line in text.split("\n"))


def _width(stream: TextIO) -> int:
    """Return the columns of the terminal, 0 where nobody looks."""
    if not stream.isatty():
        return 0
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0


def _broken(line: str, width: int, indent: int) -> str:
    if _columns(line) <= width:
        return line
    deeper = " " * (len(line) - len(line.lstrip()) + indent)
    first, *words = WORD.findall(line) or [""]
    lines = [first]
    for word in words:
        if _columns(lines[-1] + word) <= width:
            lines[-1] += word
        else:
            lines.append(deeper + word.lstrip())
    return "\n".join(lines)


def _columns(text: str) -> int:
    """Count the columns that a text takes, which are two for each wide character."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # only texts beyond ASCII need it

    return cell_len(text)
