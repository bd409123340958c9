"""News that a workspace's database has changed, whoever changed it: nothing is said of what."""

import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assay.errors import UnavailableError
from assay.workspace.disk.connections import reading
from assay.workspace.ledger.faults import explained_ledger
from assay.workspace.ledger.open_database import listening

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["Changes", "open_changes"]

POLL_S = 0.05
AGAIN_S = 0.5


class Changes(Protocol):
    """The changes of a database since the last look; for one thread at a time."""

    def wait(self, timeout: float) -> bool:
        """Wait for a change; False if there was none in time. One before the call counts."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


def open_changes(database: str) -> Changes:
    """Begin to watch a database that is there: a file, or PostgreSQL by its URL."""
    with explained_ledger(database):
        return _ServerChanges(database) if "://" in database else _FileChanges(Path(database))


class _FileChanges:
    """Asks SQLite for the number of changes that other connections have committed."""

    def __init__(self, path: Path) -> None:
        self._connection = reading(path)
        self._seen = 0
        self._seen = self._version()

    def wait(self, timeout: float) -> bool:
        until = time.monotonic() + timeout
        while (version := self._version()) == self._seen:
            left = until - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, POLL_S))
        self._seen = version
        return True

    def close(self) -> None:
        self._connection.close()

    def _version(self) -> int:
        try:
            found: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.OperationalError:  # locked for a moment: as if nothing had happened
            return self._seen
        return found


class _ServerChanges:
    """Listens to what writers say with each commit; a lost connection is opened again."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Connection | None = listening(url)

    def wait(self, timeout: float) -> bool:
        from psycopg import Error

        try:
            if self._connection is None:
                self._connection = listening(self._url)
                return True  # nobody knows what was missed
            news = list(self._connection.notifies(timeout=timeout, stop_after=1))
            return bool(news) and self._drain()
        except (Error, UnavailableError):
            self.close()
            self._connection = None
            time.sleep(min(timeout, AGAIN_S))
            return False

    def close(self) -> None:
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()

    def _drain(self) -> bool:
        if self._connection is not None:
            for _ in self._connection.notifies(timeout=0):
                pass
        return True
