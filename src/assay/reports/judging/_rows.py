"""A text -> rows of a terminal, broken between words and never wider than it."""

import re

__all__ = ["broken", "columns"]

WORDS = re.compile(r"\s*\S+\s*?(?=\s|$)")


def broken(text: str, width: int) -> list[str]:
    """Break a text between words, or inside one that is longer than a row; at least one row."""
    rows, row = [], ""
    for word in WORDS.findall(text):
        if row.strip() and columns(row + word.rstrip()) > width:
            rows.append(row.rstrip())
            row, word = "", word.lstrip()
        *whole, rest = _chopped(row + word, width)
        rows += whole
        row = rest
    return [*rows, row.rstrip()]


def columns(text: str) -> int:
    """Count the columns that a text takes: two for each wide character."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # only texts beyond ASCII need it

    return cell_len(text)


def _chopped(text: str, width: int) -> list[str]:
    if columns(text) <= width:
        return [text]
    if text.isascii():
        return [text[at : at + width] for at in range(0, len(text), width)]
    from rich.cells import chop_cells

    return chop_cells(text, width)
