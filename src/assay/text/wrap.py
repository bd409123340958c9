"""A text -> rows of a terminal, broken between words and never wider than it."""

import re

from assay.text.text_width import text_width

__all__ = ["wrap", "wrap_line", "wrap_prose"]

WORDS = re.compile(r"\s*\S+\s*?(?=\s|$)")
COMMANDS = re.compile(r"[ \t]*(?:`[^`]{1,50}`[^ \t]*|[^ \t]+)")  # a short command is a word
SPACES = dict.fromkeys(map(ord, "\n\v\f\r"), " ")


def wrap(text: str, width: int) -> list[str]:
    """Break a text between words, or inside one that is longer than a row; at least one row."""
    rows, row = [], ""
    for word in WORDS.findall(text):
        if row.strip() and text_width(row + word.rstrip()) > width:
            rows.append(row.rstrip())
            row, word = "", word.lstrip()
        *whole, rest = _chopped(row + word, width)
        rows += whole
        row = rest
    return [*rows, row.rstrip()]


def wrap_line(line: str, width: int, *, indent: int) -> str:
    """Break a line between words; further lines are indented by ``indent`` more than it.

    A long word, such as a path, and a command in backticks stay whole: they can be copied.
    """
    if text_width(line) <= width:
        return line
    deeper = " " * (len(line) - len(line.lstrip()) + indent)
    first, *words = COMMANDS.findall(line) or [""]
    lines = [first]
    for word in words:
        if text_width(lines[-1] + word) <= width:
            lines[-1] += word
        else:
            lines.append(deeper + word.lstrip())
    return "\n".join(lines)


def wrap_prose(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Break sentences between words and after hyphens; ``first`` and ``rest`` begin the rows.

    >>> wrap_prose("the order of the cosines stays", 20, rest="  ")
    ['the order of the', '  cosines stays']
    """
    text = text.expandtabs().translate(SPACES)
    if text_width(text) == len(text):
        import textwrap  # only prose needs it

        return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest)
    room = max(width - max(len(first), len(rest)), 2)  # the library counts letters, not columns
    begun, *others = wrap(text, room)
    return [f"{first}{begun}", *(f"{rest}{row}" for row in others)]


def _chopped(text: str, width: int) -> list[str]:
    if text_width(text) <= width:
        return [text]
    if text.isascii():
        return [text[at : at + width] for at in range(0, len(text), width)]
    from rich.cells import chop_cells

    return chop_cells(text, width)
