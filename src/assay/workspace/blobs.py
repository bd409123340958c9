"""Bytes that are cached by key; what cannot be cached is computed again, never made up."""

import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from assay.errors import AssayError
from assay.workspace.disk.connections import writing
from assay.workspace.disk.faults import DAMAGED, code_of
from assay.workspace.disk.folders import made
from assay.workspace.recent_values import RecentValues

__all__ = ["Blobs", "blobs"]

SYNCHRONOUS = "NORMAL"  # a power cut may cost the last batches
AT_ONCE = 500  # keys that are asked for in one statement
RECENT_BYTES = 256 << 20  # in memory: the token vectors of three thousand chunks, or so
_TABLE = "CREATE TABLE IF NOT EXISTS blobs (key TEXT NOT NULL UNIQUE, value BLOB, checksum INTEGER)"


def silent(text: str) -> None:
    """Say nothing: what libraries and tests want."""


class Blobs:
    """A memory on disk that several processes may share.

    Nothing here ever fails: a damaged file is set aside, one that cannot be read or written is
    done without, a value that is not as it was put is not found; ``note`` is told. Of what was
    used last, ``recent_bytes`` stay in memory until it is closed.
    """

    def __init__(
        self,
        path: Path,
        *,
        note: Callable[[str], None] = silent,
        recent_bytes: int = RECENT_BYTES,
    ) -> None:
        self.path = path
        self._recent: RecentValues[str, bytes] = RecentValues(recent_bytes)
        self._note = note
        self._connection: sqlite3.Connection | None = None
        self._owner = 0
        self._works = True
        self._one_at_a_time = threading.RLock()

    def get(self, key: str) -> bytes | None:
        """Return what is cached under a key."""
        return self.get_many([key]).get(key)

    def put(self, key: str, value: bytes) -> None:
        """Remember a value."""
        self.put_many({key: value})

    def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the values of those keys that are cached."""
        with self._one_at_a_time:
            found = self._recent.get_many(keys)
            if missing := [key for key in keys if key not in found]:
                stored = self._stored(missing)
                self._recent.put_many(stored)
                found |= stored
        return found

    def put_many(self, values: Mapping[str, bytes]) -> None:
        """Cache values in one transaction; they outlive this process."""
        if values:
            with self._one_at_a_time:
                self._try(lambda some: _write(self._opened(), some), values)
                self._recent.put_many(values)

    def close(self) -> None:
        """Let go of the file; it is opened again when it is needed."""
        with self._one_at_a_time:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None
            self._recent.clear()

    def __del__(self) -> None:
        self.close()

    def _stored(self, keys: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        if not self.path.exists():
            return found
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            self._try(lambda some: found.update(_read(self._opened(), some)), some)
        return found

    def _try(self, act: Callable[..., None], what: object) -> None:
        with self._one_at_a_time:
            for _ in range(2):  # the second time with a new file, if the old one was damaged
                if not self._works:
                    break
                try:
                    act(what)
                    break
                except (sqlite3.Error, AssayError, OSError) as error:
                    self._recover(error)

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None or self._owner != os.getpid():  # none survives a fork
            made(self.path.parent)
            connection = self._connection = writing(self.path, synchronous=SYNCHRONOUS)
            self._owner = os.getpid()
            connection.execute(_TABLE)
        return self._connection

    def _recover(self, error: Exception) -> None:
        """Set a damaged file aside and begin a new one; do without one that is out of reach."""
        with suppress(sqlite3.Error):
            self.close()
        if isinstance(error, sqlite3.Error) and code_of(error) in DAMAGED:
            aside = self.path.with_name(f"{self.path.name}.damaged")
            self._works = _set_aside(self.path, aside)
            self._note(
                f"{self.path} is damaged ({error}) and starts empty; the old file is {aside}"
            )
        else:
            self._works = False
            self._note(f"{self.path} cannot be used, so nothing is cached: {error}")


def blobs(path: str | Path, *, note: Callable[[str], None] = silent) -> Blobs:
    """Open a file that remembers bytes; it is made when something is first put into it."""
    return Blobs(Path(path), note=note)


def _set_aside(path: Path, aside: Path) -> bool:
    try:
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        with suppress(FileNotFoundError):  # another process was faster
            path.replace(aside)
    except OSError:
        return False
    return True


def _read(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, bytes]:
    places = ",".join("?" * len(keys))
    asked = f"SELECT key, value, checksum FROM blobs WHERE key IN ({places})"  # noqa: S608
    found = connection.execute(asked, keys).fetchall()
    return {key: value for key, value, check in found if check == _checksum(key, value)}


def _write(connection: sqlite3.Connection, values: Mapping[str, bytes]) -> None:
    rows = [(key, value, _checksum(key, value)) for key, value in values.items()]
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT OR REPLACE INTO blobs VALUES (?, ?, ?)", rows)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _checksum(key: str, value: object) -> int:
    return zlib.crc32(value, zlib.crc32(key.encode())) if isinstance(value, bytes) else -1
