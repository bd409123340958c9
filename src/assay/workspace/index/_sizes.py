"""How many bytes an index takes, by what they are for."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from assay.workspace.disk.connections import reading

__all__ = ["sizes"]

CELL = 8  # bytes that SQLite adds to a row: lengths, types, the row number, a pointer

_PAGES = "SELECT pgsize FROM dbstat WHERE name = ? AND aggregate = TRUE"


def sizes(database: Path, *, lexical: Path, derived: Path) -> dict[str, int]:
    """Measure an index; texts stand apart, since searching alone does not need them."""
    with closing(reading(database)) as connection:
        page_size, pages = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_size", "page_count")
        )
        tables = _of_tables(connection)
    return {
        "lexical_bytes": _folder(lexical),
        "vector_bytes": tables["vectors"] + _folder(derived),
        "text_bytes": tables["texts"],
        "other_bytes": max(0, page_size * pages - sum(tables.values())),
    }


def _of_tables(connection: sqlite3.Connection) -> dict[str, int]:
    """Sum up the pages of each table; where SQLite cannot tell them, the lengths of its rows."""
    try:
        return {
            name: int((connection.execute(_PAGES, (name,)).fetchone() or [0])[0])
            for name in ("texts", "vectors")
        }
    except sqlite3.OperationalError:
        return _lengths(connection)


def _lengths(connection: sqlite3.Connection) -> dict[str, int]:
    asked = {
        "texts": "SELECT total(length(deflated) + ?) FROM texts",
        "vectors": "SELECT total(length(packed) + ?) FROM vectors",
    }
    return {
        name: int(connection.execute(sql, (CELL,)).fetchone()[0]) for name, sql in asked.items()
    }


def _folder(folder: Path) -> int:
    return sum(
        Path(here, name).stat().st_size for here, _, names in os.walk(folder) for name in names
    )
