"""Connections to SQLite files: one kind that writes, one that only reads."""

import sqlite3
from pathlib import Path

from assay.workspace._faults import code_of

__all__ = ["reading", "writing"]

PATIENCE_S = 30.0  # readers wait this long for the short moments in which a file is locked
_NO_PLACE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}


def writing(path: Path, *, patience_s: float = 0.0) -> sqlite3.Connection:
    """Open a file to write it, and make it if need be.

    With a full sync, what was committed outlives a power cut. A generation of an index must: the
    next writer deletes the files of the one before.
    """
    connection = sqlite3.connect(
        path, timeout=patience_s, isolation_level=None, check_same_thread=False
    )
    for pragma in ("page_size=8192", "synchronous=FULL", "cache_size=-65536", "secure_delete=OFF"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def reading(path: Path) -> sqlite3.Connection:
    """Open a file to read it, also where nothing may be written."""
    try:
        return _opened(f"{path.absolute().as_uri()}?mode=rw")
    except sqlite3.OperationalError as error:
        log = path.with_name(f"{path.name}-wal")
        if code_of(error) not in _NO_PLACE or (log.exists() and log.stat().st_size):
            raise
        # A log needs shared memory in the folder; without a log the file alone is the truth.
        return _opened(f"{path.absolute().as_uri()}?immutable=1")


def _opened(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, uri=True, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA query_only=1")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
