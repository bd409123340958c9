"""A small table of runs, as ``repr`` shows it and as a notebook does."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.text import sanitize
from assay.text.truncate import cut_end

__all__ = ["Board", "figure", "spanned"]

MOST, MOST_SHOWN = 10, 30  # rows of a text, and of a notebook's table
WIDEST, LONGEST = 48, 300  # letters of a cell, and of a title
# Colours are the notebook's own, light or dark; the lines are seen on both.
TABLE = "border-collapse:collapse;color:inherit"
CELL = "padding:.2em .8em;border-bottom:1px solid rgba(128,128,128,.4)"


@dataclass(frozen=True, slots=True)
class Board:
    """A title, rows of texts, what is ``said`` below them, and what to do next.

    ``words`` are columns to the left.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    how: str
    words: frozenset[str] = frozenset({"run", "verdict"})
    said: tuple[str, ...] = ()

    def text(self) -> str:
        """Lay it out in lines that fit a screen."""
        told = [*self._lines(MOST), *self._more(MOST), *self._said()]
        return "\n  ".join([f"<{_plain(self.title[:LONGEST])}", *told, f"{self.how}>"])

    def printed(self, most: int) -> str:
        """Lay it out in lines for whoever prints it: so many rows ``most``."""
        more = [f"{line}: .frame()" for line in self._more(most)]
        told = [*self._lines(most), *more, *self._said()]
        return "\n".join([_plain(self.title[:LONGEST]), *told])

    def _said(self) -> list[str]:
        return [_plain(line) for line in self.said]

    def _lines(self, most: int) -> list[str]:
        table = [[_short(cell) for cell in row] for row in self._table(most)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        wide = [-width if self._is_words(at) else width for at, width in enumerate(widths)]
        return [_line(row, wide) for row in table] if self.rows else []

    def html(self) -> str:
        """Write a table that runs nothing, loads nothing and brings no colours of its own."""
        head, *rows = [
            "".join(_cell(tag, cell, left=self._is_words(at)) for at, cell in enumerate(row))
            for tag, row in zip(["th", *["td"] * MOST_SHOWN], self._table(MOST_SHOWN), strict=False)
        ]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>" if rows else ""
        below = _escaped(". ".join([*self._more(MOST_SHOWN), *self.said, self.how]))
        whole = _caption(self.title[:LONGEST]) + table
        return f'<table style="{TABLE}">{whole}</table><p style="opacity:.8">{below}</p>'

    def _table(self, most: int) -> list[list[str]]:
        """Return the titles and the first rows, without columns in which nothing stands."""
        used = self._used()
        return [[row[at] for at in used] for row in (self.columns, *self.rows[:most])]

    def _used(self) -> list[int]:
        return [at for at, _ in enumerate(self.columns) if not at or any(r[at] for r in self.rows)]

    def _is_words(self, at: int) -> bool:
        return self.columns[self._used()[at]] in self.words

    def _more(self, most: int) -> list[str]:
        return [f"and {len(self.rows) - most:,} more"] if len(self.rows) > most else []


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """Pad each cell: to the left where its width is negative."""
    cells = zip(row, widths, strict=True)
    return "  ".join(c.ljust(-w) if w < 0 else c.rjust(w) for c, w in cells).rstrip()


def _cell(tag: str, text: str, *, left: bool) -> str:
    side = "left" if left else "right"
    scope = ' scope="col"' if tag == "th" else ""
    return f'<{tag}{scope} style="{CELL};text-align:{side}">{_escaped(_short(text))}</{tag}>'


def _caption(title: str) -> str:
    return f'<caption style="text-align:left;font-weight:bold">{_escaped(title)}</caption>'


def _escaped(text: str) -> str:
    from html import escape  # only a notebook needs it

    return escape(_plain(text))


def _plain(text: str) -> str:
    return sanitize(text.encode(errors="replace").decode())


def _short(text: str) -> str:
    return cut_end(_plain(text), WIDEST, mark="...")


def figure(value: object, *, form: str = ".4f") -> str:
    """Write a number; nothing where there is none.

    >>> figure(0.61171), figure(None)
    ('0.6117', '')
    """
    return format(value, form) if isinstance(value, int | float) else ""


def spanned(low: float, high: float, *, form: str = "+.4f") -> str:
    """Write an interval."""
    return f"[{low:{form}}, {high:{form}}]"
