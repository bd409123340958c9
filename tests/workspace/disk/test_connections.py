"""A file of SQLite gets a write-ahead log where it can have one, and waiting for it ends."""

import sqlite3
from contextlib import closing

import pytest

from assay.workspace.disk import connections
from assay.workspace.disk.connections import write_ahead, writing
from assay.workspace.ledger import _database

ASK, CHANGE = "PRAGMA journal_mode", "PRAGMA journal_mode=WAL"


class Counting(sqlite3.Connection):
    """Ends a loop that would go on for ever."""

    left = 10

    def execute(self, *statement):
        self.left -= 1
        assert self.left, "endless loop"
        return super().execute(*statement)


def mode(connection):
    return connection.execute(ASK).fetchone()[0]


def statements(connection):
    """Return what asking for a log runs."""
    ran = []
    connection.set_trace_callback(ran.append)
    write_ahead(connection)
    connection.set_trace_callback(None)
    return ran


def test_a_file_gets_a_log(tmp_path):
    with closing(sqlite3.connect(tmp_path / "file.db")) as connection:
        assert statements(connection) == [ASK, CHANGE]
        assert mode(connection) == "wal"


@pytest.mark.parametrize("opened", [writing, _database._connected])
def test_a_file_that_has_a_log_is_only_asked(tmp_path, opened):
    with closing(opened(tmp_path / "file.db")) as first:
        first.execute("CREATE TABLE one (a)")
        with closing(sqlite3.connect(tmp_path / "file.db", timeout=0)) as second:
            first.execute("BEGIN IMMEDIATE")
            assert statements(second) == [ASK]
            assert mode(second) == "wal"


def test_where_sqlite_declines_without_an_error_it_goes_on():
    with closing(sqlite3.connect(":memory:", factory=Counting)) as connection:
        write_ahead(connection)
        assert mode(connection) == "memory"


def test_a_ledger_goes_on_where_sqlite_declines(tmp_path, monkeypatch):
    connect = sqlite3.connect
    memory = lambda path, **how: connect(":memory:", factory=Counting, **how)  # noqa: E731
    monkeypatch.setattr(_database.sqlite3, "connect", memory)
    with closing(_database._connected(tmp_path / "ledger.db")) as connection:
        assert mode(connection) == "memory"


@pytest.fixture
def locked(tmp_path):
    """Two connections to a file, which the first has locked."""
    with (
        closing(sqlite3.connect(tmp_path / "file.db", isolation_level=None)) as first,
        closing(sqlite3.connect(tmp_path / "file.db", timeout=0, factory=Counting)) as second,
    ):
        first.execute("CREATE TABLE one (a)")
        first.execute("BEGIN EXCLUSIVE")
        yield first, second


def test_a_lock_is_waited_for(locked, monkeypatch):
    first, second = locked
    monkeypatch.setattr(connections.time, "sleep", lambda seconds: first.execute("COMMIT"))
    write_ahead(second)
    assert mode(second) == "wal"


def test_a_lock_is_not_waited_for_beyond_patience(locked, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE_S", 0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(locked[1])
