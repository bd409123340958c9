"""Markdown: a pipe table, the best value in bold."""

import re

from assay.records import Table
from assay.reports.escape_links import escape_links
from assay.reports.text import text

__all__ = ["md"]

CODE = re.compile(r"(`+)(?!`)(?:(?!\1).)+(?<!`)\1")  # between as many backticks as it has not


def md(tables: list[Table]) -> bytes:
    """Write each table below its caption."""
    return ("\n".join(_table(table) for table in tables)).encode(errors="backslashreplace")


def _table(table: Table) -> str:
    caption = _inline(table.caption).replace("*", "\\*")  # a footnote's star is no emphasis
    lines = [f"**{caption}**\n"] if caption else []
    lines.append(_line([_escape(title) for title in table.titles]))
    lines.append(_line([_rule(table, column) for column in range(len(table.titles))]))
    for r, row in enumerate(table.rows):
        lines.append(_line([_cell(table, r, c) for c in range(len(row))]))
    lines += [
        _line(["" if cell is None else _escape(str(cell)) for cell in row]) for row in table.footer
    ]
    return "\n".join(lines) + "\n"


def _rule(table: Table, column: int) -> str:
    """Set numbers to the right, and what is read to the left, as is the first column."""
    cells = [row[column] for row in table.rows]
    words = any(isinstance(cell, str) and any(map(str.isalpha, cell)) for cell in cells)
    return "---" if not column or words else "---:"


def _cell(table: Table, row: int, column: int) -> str:
    shown = _escape(text(table, row, column))
    return f"**{shown}**" if (row, column) in table.best else shown


def _escape(shown: str) -> str:
    """Keep a cell as it is written; code is, but for what ends a cell."""
    return (shown if CODE.fullmatch(shown) else _inline(shown)).replace("|", "\\|")


def _inline(shown: str) -> str:
    """Keep a row on its line, and what looks like a tag or a link as it is written."""
    line = re.sub(r"[\r\n\v\f\x85\u2028\u2029]+", " ", shown)
    return escape_links(re.sub(r"<(?=[A-Za-z/!?])", r"\\<", line))


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
