"""Writers of one index take turns, and whoever waits is told for whom."""

import os
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from assay.errors import InUseError
from assay.workspace.disk.faults import BUSY, code_of

__all__ = ["leave", "take_turn"]

PAUSE_S = 0.05
NAMELESS_S = 1.0  # a writer puts up its sign after its transaction began
READERS_MS = 60_000


def take_turn(
    connection: sqlite3.Connection,
    index: Path,
    *,
    waiting: Callable[[str], None] | None,
    patience_s: float,
) -> None:
    """Begin a transaction that writes, as soon as no other process does."""
    started = time.monotonic()
    connection.execute("PRAGMA busy_timeout=0")
    told = waiting is None
    while not _begun(connection):
        writer, waited = _writer(index), time.monotonic() - started
        busy = f"{writer or 'another process'} is writing this index"
        if waited >= patience_s:
            hint = "wait until that process ends, or stop it, and try again"
            raise InUseError(busy, where=str(index), hint=hint)
        if waiting and not told and (writer or waited > NAMELESS_S):
            waiting(f"waiting: {busy}")
            told = True
        time.sleep(PAUSE_S)
    # Where the file system knows no shared memory, a commit waits for the readers.
    connection.execute(f"PRAGMA busy_timeout={READERS_MS}")
    with suppress(OSError):
        _sign(index).write_text(f"process {os.getpid()} on {socket.gethostname()}", "utf-8")


def leave(index: Path) -> None:
    """Take the sign away; the transaction must be over."""
    with suppress(OSError):
        _sign(index).unlink()


def _begun(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if code_of(error) not in BUSY:
            raise
        return False
    return True


def _sign(index: Path) -> Path:
    return index / "writer.txt"


def _writer(index: Path) -> str:
    try:
        return _sign(index).read_text("utf-8")
    except (OSError, ValueError):
        return ""
