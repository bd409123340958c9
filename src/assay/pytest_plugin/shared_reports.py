"""What one worker of pytest-xdist found out, for all others: they wait while it is at it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Outcome", "shared_outcome"]

WAIT_S = 7 * 86_400.0  # a benchmark may run for days; a worker that dies lets go of its lock
TABLE = "CREATE TABLE IF NOT EXISTS outcomes (key TEXT PRIMARY KEY, completed INT, content BLOB)"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The JSON of a report, or what went wrong where it was not ``completed``."""

    completed: bool
    content: bytes


def shared_outcome(folder: Path, key: str, make: Callable[[], Outcome]) -> Outcome:
    """Return what is known under a key, else make it; only one process makes anything at a time.

    The lock is that of an SQLite database, which every system has, and which ends with a process.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    place = folder / "reports.sqlite"
    with closing(sqlite3.connect(place, timeout=WAIT_S, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        database.execute(TABLE)
        known = "SELECT completed, content FROM outcomes WHERE key = ?"
        row = database.execute(known, (key,)).fetchone()
        if row is not None:
            return Outcome(bool(row[0]), row[1])
        made = make()
        new = (key, made.completed, made.content)
        database.execute("INSERT INTO outcomes VALUES (?, ?, ?)", new)
        database.execute("COMMIT")
    return made
