"""Connections to SQLite files: one kind that writes, one that only reads."""

import sqlite3
import time
from pathlib import Path

from assay.workspace.disk.faults import BUSY, code_of
from assay.workspace.disk.folders import private

__all__ = ["PATIENCE_S", "reading", "write_ahead", "writing"]

PATIENCE_S = 30.0  # for the short moments in which a file is locked: opened first, closed last
PAUSE_S = 0.02
_NO_PLACE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}


def writing(path: Path, *, synchronous: str = "FULL") -> sqlite3.Connection:
    """Open a file to write it, and make it if need be.

    With a full sync, what was committed outlives a power cut. A generation of an index must: the
    next writer deletes the files of the one before.
    """
    connection = _connected(private(path).absolute().as_uri())
    try:
        for pragma in ("page_size=8192", f"synchronous={synchronous}", "cache_size=-65536"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA secure_delete=OFF")
        write_ahead(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at once, where SQLite can; it does not wait for this change.

    Where it cannot (memory, a file system without shared memory) it raises nothing and keeps the
    journal that it has: readers and a writer then take turns. A file that has a log is left alone.
    """
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if code_of(error) not in BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(PAUSE_S)
        else:
            return


def reading(path: Path) -> sqlite3.Connection:
    """Open a file to read it, also where nothing may be written."""
    try:
        return _opened(f"{path.absolute().as_uri()}?mode=rw")
    except sqlite3.OperationalError as error:
        log = path.with_name(f"{path.name}-wal")
        if code_of(error) not in _NO_PLACE or (log.exists() and log.stat().st_size):
            raise
        # A log needs shared memory in the folder; without a log the file alone is the truth.
        return _opened(f"{path.absolute().as_uri()}?mode=ro&immutable=1")


def _opened(address: str) -> sqlite3.Connection:
    connection = _connected(address)
    try:
        connection.execute("PRAGMA query_only=1")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(address: str) -> sqlite3.Connection:
    """Connect so that transactions are our own, and threads may pass the connection on."""
    return sqlite3.connect(
        address,
        uri=True,
        timeout=PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
    )
