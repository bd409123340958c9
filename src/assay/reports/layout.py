"""Lay a table out in lines: aligned columns, never wider than asked, and no digit lost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.records import Cell, Table
from assay.reports.shorten_names import shorten_names
from assay.reports.text import text
from assay.text import sanitize
from assay.text.text_width import text_width
from assay.text.truncate import cut_end
from assay.text.wrap import wrap

__all__ = ["StyledText", "layout"]

# Titles of columns that are set to the left, and shortened where they are too wide.
NAMES = {"document", "key", "metric", "query", "reference", "run"}
NAMES |= {"candidates", "category", "coefficient", "difficulty", "judged", "kind", "method"}
NAMES |= {"name", "note", "other", "other query", "overlap", "problem", "reason", "text"}
GAP = "  "
SHORTEST = 14  # characters that a shortened name keeps
LONGEST = 60  # and that the first try leaves
WHOLE = {"verdict", "expires"}  # words that hold a number
PROSE = {"note", "overlap", "passage", "problem", "reason", "text"}  # cut at the end only


@dataclass(frozen=True, slots=True)
class StyledText:
    """A part of a line, and what it is: a title, a rule, the best value, a footer or plain text."""

    text: str
    kind: str = ""


def layout(table: Table, width: int | None = None) -> list[list[StyledText]]:
    """Return the lines of a table.

    Too wide for ``width``, names are shortened, by no more than it takes; still too wide, columns
    are put below each other in blocks that repeat the first one.
    """
    table = _sanitized(table)
    if width is None or _width(table) <= width:
        return _lines(table, width)
    lines: list[list[StyledText]] = []
    for block in _fewest_blocks(table, width):
        told = replace(block, caption="") if lines else block  # which is said once
        lines += [*([[]] if lines else []), *_lines(told, width)]
    return lines


def _sanitized(table: Table) -> Table:
    """Keep each text on its line, whatever it holds."""
    return replace(
        table,
        titles=tuple(map(sanitize, table.titles)),
        rows=[[_safe(cell) for cell in row] for row in table.rows],
        caption=sanitize(table.caption),
        texts={place: sanitize(shown) for place, shown in table.texts.items()},
        footer=[[_safe(cell) for cell in row] for row in table.footer],
    )


def _safe(cell: Cell) -> Cell:
    return sanitize(cell) if isinstance(cell, str) else cell


def _fewest_blocks(table: Table, width: int) -> list[Table]:
    """Return the blocks of the least shortened table that has no more of them than the shortest."""
    fewest = _blocks(_shorten(table, SHORTEST), width)
    low, high = SHORTEST, LONGEST
    while low < high:
        middle = (low + high + 1) // 2
        tried = _blocks(_shorten(table, middle), width)
        if len(tried) <= len(fewest) and all(_width(one) <= width for one in tried):
            low, fewest = middle, tried
        else:
            high = middle - 1
    return fewest


def _lines(table: Table, width: int | None = None) -> list[list[StyledText]]:
    widths = _widths(table)
    rule = [StyledText("-" * (sum(widths) + len(GAP) * (len(widths) - 1)), "rule")]
    left = _names(table)
    titles = [_line(table.titles, widths, left, "title")]
    body = [
        _line(row, widths, left, marks={c for r, c in table.best if r == at})
        for at, row in enumerate(_shown(table))
    ]
    footer = [_line(_footer(row), widths, left, "footer") for row in table.footer]
    told = [table.caption] if width is None else wrap(table.caption, width)
    caption = [[StyledText(line, "title")] for line in told if line]
    return [*caption, *titles, rule, *body, *([rule, *footer] if footer else [])]


def _names(table: Table) -> set[int]:
    """Return the columns of words."""
    return {at for at, title in enumerate(table.titles) if title in NAMES} | table.names


def _line(
    cells: Sequence[str],
    widths: Sequence[int],
    left: set[int],
    kind: str = "",
    *,
    marks: set[int] | None = None,
) -> list[StyledText]:
    pieces = []
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - text_width(cell))
        padded = cell + space if at in left else space + cell
        last = at == len(widths) - 1
        pieces.append(
            StyledText(
                padded.rstrip() if last and not kind else padded,
                "best" if at in (marks or ()) else kind,
            )
        )
        if not last:
            pieces.append(StyledText(GAP))
    return pieces


def _shown(table: Table) -> list[list[str]]:
    return [[text(table, r, c) for c in range(len(row))] for r, row in enumerate(table.rows)]


def _footer(row: Sequence[Cell]) -> list[str]:
    return ["" if cell is None else str(cell) for cell in row]


def _widths(table: Table) -> list[int]:
    lines = [table.titles, *_shown(table), *(_footer(row) for row in table.footer)]
    return [max(map(text_width, column)) for column in zip(*lines, strict=True)]


def _width(table: Table) -> int:
    widths = _widths(table)
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _shorten(table: Table, limit: int) -> Table:
    """Shorten titles and names, and cut prose at its end; numbers stay whole."""
    titles = (table.titles[0], *shorten_names(table.titles[1:], limit))
    texts = dict(table.texts)
    for column in _names(table):
        if table.titles[column] in WHOLE:
            continue
        cells = [text(table, row, column) for row in range(len(table.rows))]
        if table.titles[column] in PROSE:
            short = tuple(cut_end(cell, limit) for cell in cells)
        else:
            short = shorten_names(cells, limit)
        texts |= {(row, column): cut for row, cut in enumerate(short)}
    return replace(table, titles=titles, texts=texts)


def _blocks(table: Table, width: int) -> list[Table]:
    """Put as many columns into each block as fit beside the first."""
    widths = _widths(table)
    blocks: list[list[int]] = [[]]
    room = width - widths[0]
    for column in range(1, len(widths)):
        need = widths[column] + len(GAP)
        if blocks[-1] and need > room:
            blocks.append([])
            room = width - widths[0]
        blocks[-1].append(column)
        room -= need
    return [_only(table, [0, *columns]) for columns in blocks]


def _only(table: Table, columns: list[int]) -> Table:
    """Keep some columns of a table."""
    place = {column: at for at, column in enumerate(columns)}
    return Table(
        titles=tuple(table.titles[column] for column in columns),
        rows=[[row[column] for column in columns] for row in table.rows],
        caption=table.caption,
        best=frozenset((r, place[c]) for r, c in table.best if c in place),
        texts={(r, place[c]): shown for (r, c), shown in table.texts.items() if c in place},
        footer=[[row[column] for column in columns] for row in table.footer],
        names=frozenset(place[c] for c in table.names if c in place),
    )
