"""Opening SQLite's file: one connection that reads what is committed, and one that writes."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.engines.lexical._fields import FIELDS
from assay.engines.lexical._write_failure import is_full, write_failure, writing
from assay.errors import InputError

__all__ = ["end_writing", "in_sqlite", "open_reader", "open_writer"]

FILE = "chunks.sqlite"
SECONDS = 1.0  # to wait for another process that writes
# Tokens come joined by spaces, so that all else is part of a token.
TABLE = (
    f"CREATE VIRTUAL TABLE IF NOT EXISTS chunks USING fts5({', '.join(FIELDS)}, tokenize="
    "\"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'\")"
)
FREQUENCIES = "CREATE VIRTUAL TABLE temp.frequencies USING fts5vocab(main, chunks, col)"


def open_reader(folder: Path) -> sqlite3.Connection:
    """Open the file to search in it; a folder without one gets it."""
    with in_sqlite(folder):
        if not (folder / FILE).exists():
            _connect(folder).close()
        database = _connect(folder)
        database.execute(FREQUENCIES)
        return database


def open_writer(folder: Path) -> sqlite3.Connection:
    """Open the file for one transaction, which no other process can have at the same time.

    A file that is linked from another folder is copied first: SQLite changes it in place.
    """
    if (folder / FILE).stat().st_nlink > 1:
        part = folder / f"{FILE}.part"
        with writing(folder):
            shutil.copyfile(folder / FILE, part)
            part.replace(folder / FILE)
    with in_sqlite(folder):
        database = _connect(folder)
        # With a log of its own, who writes does not disturb who reads.
        database.execute("PRAGMA journal_mode = wal")
        database.execute("BEGIN IMMEDIATE")
        return database


def end_writing(writer: sqlite3.Connection) -> None:
    """Close the connection that writes; what it did not commit is undone.

    The log is left if nobody else has the file open, so that reading it later needs no more than
    the file.
    """
    with suppress(sqlite3.Error):
        if writer.in_transaction:
            writer.execute("ROLLBACK")
        writer.execute("PRAGMA journal_mode = delete")
    writer.close()


@contextmanager
def in_sqlite(folder: Path) -> Iterator[None]:
    """Tell what SQLite complains about in the words of the user."""
    try:
        yield
    except sqlite3.Error as error:
        if is_full(error):
            raise write_failure(folder / FILE, error) from error
        if "locked" in str(error):
            problem, hint = "another process is writing to this index", "wait, then try again"
        else:
            problem = f"SQLite cannot open the index ({error})"
            hint = "delete the folder and build the index again"
        raise InputError(problem, where=str(folder / FILE), hint=hint) from error


def _connect(folder: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        folder / FILE, timeout=SECONDS, isolation_level=None, check_same_thread=False
    )
    database.execute(TABLE)
    return database
