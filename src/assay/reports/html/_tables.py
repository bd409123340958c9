"""Tables of the analysis, with the words of a page."""

from typing import Any

from assay.records import Report, Table
from assay.reports.text import text

__all__ = ["analysed", "prepared"]


def analysed(report: Report) -> list[dict[str, Any]]:
    """Return every table that there is something to learn from."""
    from assay.reports.analysis.tables import tables

    return [prepared(table) for table in tables(report) if table.rows]


def prepared(table: Table) -> dict[str, Any]:
    """Return what a template needs: texts, and which cells are words or the best."""
    count = len(table.titles)
    words = [_is_words(table, column) for column in range(count)]
    rows = [
        [
            {
                "text": text(table, row, column).strip(),
                "best": (row, column) in table.best,
                "words": words[column],
                "value": _value(table.rows[row][column]),
            }
            for column in range(min(count, len(table.rows[row])))
        ]
        for row in range(len(table.rows))
    ]
    return {
        "titles": [
            {"text": title, "words": is_words}
            for title, is_words in zip(table.titles, words, strict=True)
        ],
        "rows": rows,
        "heading": "",
        "caption": table.caption,
    }


def _is_words(table: Table, column: int) -> bool:
    cells = [row[column] for row in table.rows if column < len(row)]
    return column in table.names or any(isinstance(cell, str) and cell != "-" for cell in cells)


def _value(cell: object) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None
