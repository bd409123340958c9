"""SQLite files that no other process has open, and those that remember, made smaller."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import BUSY, DAMAGED, code_of, explained
from assay.workspace.disk.folder_locks import GONE, bytes_of

__all__ = ["count_of", "last_written", "memory_bytes", "remove_index", "shrink"]

PATIENCE_S = 0.5  # a file is locked for a moment while it is opened or closed
SIDES = ("", "-wal", "-shm", "-journal", ".damaged")
ROW = 200  # bytes of a row besides its value: its key, twice, and what SQLite adds
FILLED = (0.8, 0.5)  # of the wanted size: pages are never full

_NEWEST = "SELECT rowid, length(value) FROM blobs ORDER BY rowid DESC"


def memory_bytes(path: Path) -> int:
    """Return the bytes of a file that remembers, with all that lies beside it."""
    return sum(found.st_size for found in _stats(path))


def last_written(path: Path) -> float | None:
    """Return when a file was last written, in seconds since 1970; None if it is not there."""
    return max((found.st_mtime for found in _stats(path)), default=None)


def count_of(path: Path) -> int:
    """Count what a file remembers; nothing if it cannot be read."""
    try:
        if not path.is_file():  # to read it would make it
            return 0
        with closing(reading(path)) as connection:
            return int(connection.execute("SELECT count(*) FROM blobs").fetchone()[0])
    except (sqlite3.Error, OSError):
        return 0


def shrink(path: Path, *, to_bytes: int) -> int:
    """Forget what a file remembers, the oldest first, until it takes no more; return the bytes.

    Nothing happens while another process has it open. To nothing, only an empty file stays.
    """
    before = memory_bytes(path)
    with explained(path):
        _without(path, ".damaged")
        if memory_bytes(path) <= to_bytes:
            return before - memory_bytes(path)
        try:
            with _alone(path) as connection:
                if connection is not None:
                    _forget(connection, path, to_bytes)
        except sqlite3.DatabaseError as error:
            if code_of(error) not in DAMAGED:
                raise
            for side in SIDES:  # nobody can use it
                _without(path, side)
    return before - memory_bytes(path)


def remove_index(folder: Path) -> int:
    """Remove an index that no process reads or writes; return the bytes that this freed."""
    before, path = bytes_of(folder), folder / "index.sqlite"
    gone = folder.with_name(f"{folder.name}.{os.getpid()}{GONE}")
    with explained(folder):
        try:
            with _alone(path) as connection:
                if connection is None:
                    return 0
                if os.name == "nt":  # open, it could not be moved
                    connection.close()
                folder.rename(gone)
        except sqlite3.DatabaseError as error:
            if code_of(error) not in DAMAGED:
                raise
            folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
    return before - bytes_of(gone)


@contextmanager
def _alone(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Have a file for oneself; None if it is not there, or another process has it open.

    Each connection to a file with a write-ahead log holds a lock on it as long as it lasts, and
    to give that log up takes a lock against all of them. Others wait until then.
    """
    if not path.exists():
        yield None
        return
    address = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(address, uri=True, timeout=PATIENCE_S, isolation_level=None)
    with closing(connection):
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")  # the lock stays
        except sqlite3.OperationalError as error:
            if code_of(error) not in BUSY:
                raise
            connection.close()
            yield None
            return
        yield connection


def _forget(connection: sqlite3.Connection, path: Path, to_bytes: int) -> None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'blobs'").fetchone():
        return
    for share in FILLED:
        cut = _cut(connection, to_bytes * share)
        connection.execute("DELETE FROM blobs WHERE rowid <= ?", (cut,))
        connection.execute("VACUUM")
        if path.stat().st_size <= to_bytes:  # the journal beside it goes with the connection
            return
    connection.execute("DROP TABLE blobs")
    connection.execute("VACUUM")


def _cut(connection: sqlite3.Connection, room: float) -> int:
    """Find the newest row for which there is no room."""
    for rowid, length in connection.execute(_NEWEST):
        room -= ROW + (length or 0)
        if room < 0:
            return int(rowid)
    return -1


def _without(path: Path, side: str) -> None:
    path.with_name(path.name + side).unlink(missing_ok=True)


def _stats(path: Path) -> Iterator[os.stat_result]:
    for side in SIDES:
        try:
            yield path.with_name(path.name + side).stat()
        except OSError:
            continue
