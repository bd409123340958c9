"""Processes beside a backup or a restore, and what they leave whole."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

from assay.workspace.ledger.open_database import Database, run

__all__ = ["events_in", "running", "wait_for", "whole"]

WORK = Path(__file__).with_name("backup_work.py")


@contextmanager
def running(*words):
    process = subprocess.Popen([sys.executable, str(WORK), *map(str, words)])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def events_in(place):
    with closing(Database(str(place))) as database, database.reading() as connection:
        return run(connection, "SELECT count(*) FROM events").scalar()


def whole(path):
    """Check that what the writer writes together is there together."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        units = connection.execute(
            "SELECT units.state, done, count(recorded.number) FROM units "
            "LEFT JOIN tapes ON tapes.key = units.tape "
            "LEFT JOIN recorded ON recorded.tape = tapes.number "
            "WHERE units.key LIKE 'u%' AND total = 20 GROUP BY units.number"
        ).fetchall()
        sessions = connection.execute("SELECT count(*) FROM events GROUP BY session").fetchall()
    assert all(done == rows for _, done, rows in units)
    assert all(rows == 20 for state, _, rows in units if state == "completed")
    assert all(count == (20,) for count in sessions)
    assert 0 <= len(units) - len(sessions) <= 1
