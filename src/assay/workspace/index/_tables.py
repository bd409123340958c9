"""The tables of an index. Texts and vectors stand apart, so that each can be counted."""

import json
import sqlite3
from collections.abc import Mapping

__all__ = [
    "facts",
    "failed_files",
    "is_ours",
    "keep_facts",
    "lexical_files",
    "make_tables",
    "upgrade",
]

FORMAT = 3  # raise it whenever the tables change: add a step, or older indexes are built again
_STEPS = {
    2: (
        "ALTER TABLE documents ADD COLUMN metadata BLOB",
        "ALTER TABLE documents ADD COLUMN converter TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE chunks ADD COLUMN page INTEGER",
        # Their front matter was not read before.
        "UPDATE documents SET stamp = '' WHERE language = CAST('markdown' AS BLOB)",
    )
}  # from each format to the next

# Ids, paths and titles are bytes: a file name need not be valid Unicode.
# The rows of a document are consecutive: the first of them and their number say them all.
_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
  code INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, path BLOB NOT NULL, title BLOB NOT NULL,
  language BLOB NOT NULL, content_hash TEXT NOT NULL, stamp TEXT NOT NULL,
  fallback INTEGER NOT NULL, first_row INTEGER NOT NULL, chunks INTEGER NOT NULL,
  metadata BLOB, converter TEXT NOT NULL DEFAULT ''
);
CREATE TABLE chunks (
  row INTEGER PRIMARY KEY, document INTEGER NOT NULL,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, kind TEXT NOT NULL,
  path BLOB, title BLOB, symbols BLOB, page INTEGER
);
CREATE TABLE texts (row INTEGER PRIMARY KEY, deflated BLOB NOT NULL);
CREATE TABLE vectors (row INTEGER PRIMARY KEY, packed BLOB NOT NULL)
"""


def is_ours(connection: sqlite3.Connection) -> bool:
    """Tell whether the tables are there, in the form that this version writes."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return found == FORMAT


def upgrade(connection: sqlite3.Connection) -> bool:
    """Bring older tables to the form of this version, if they can be; tell whether they have it."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    while found in _STEPS:
        for statement in _STEPS[found]:
            connection.execute(statement)
        found += 1
        connection.execute(f"PRAGMA user_version={found}")
    return is_ours(connection)


def make_tables(connection: sqlite3.Connection) -> None:
    """Drop all tables and make them empty, inside of the transaction that is under way."""
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall():
        connection.execute(f'DROP TABLE "{name}"')
    for statement in _TABLES.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version={FORMAT}")


def facts(connection: sqlite3.Connection) -> dict[str, str | int]:
    """Read what an index knows of itself: its settings, its generation, its next row."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
        return {}
    return dict(connection.execute("SELECT name, value FROM facts").fetchall())


def lexical_files(known: Mapping[str, str | int]) -> dict[str, int]:
    """Return the sizes of the lexical engine's files, out of what an index knows of itself."""
    found: dict[str, int] = json.loads(str(known.get("lexical", "{}")))
    return found


def failed_files(known: Mapping[str, str | int]) -> dict[str, str]:
    """Return the stamps of files that could not be converted, by path."""
    found: dict[str, str] = json.loads(str(known.get("failures", "{}")))
    return found


def keep_facts(connection: sqlite3.Connection, known: Mapping[str, str | int]) -> None:
    """Write what an index knows of itself."""
    connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", known.items())
