"""The database of a ledger: SQLite in a file, or PostgreSQL by its URL; the same SQL for both."""

import os
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.extras import install_command
from assay.workspace.disk.connections import PATIENCE_S, write_ahead
from assay.workspace.disk.folders import made, private
from assay.workspace.hold_interrupts import hold_interrupts
from assay.workspace.ledger.faults import explained_ledger, shown, unreachable

if TYPE_CHECKING:
    from psycopg import Connection as ServerConnection
    from sqlalchemy import Connection, CursorResult, Engine, TextClause

__all__ = ["Database", "batches", "listening", "run"]

AT_ONCE = 500  # values that stand for one name in a statement
MOST = 64  # connections at once
TURN = 0x0A55A7  # names the lock in PostgreSQL that stands for a turn
_INCREMENTAL = 2  # setting it where it is so already would write to the file
_ONE_STATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_NOW = "SELECT extract(epoch FROM clock_timestamp())"
CHANNEL = "assay_changes"
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', '')"  # wakes who listens, with the commit
_of_parents: "list[Engine]" = []  # SQLite wants a fork to leave even the closing to its parent


class Database:
    """Connections that threads share, and that no fork takes along.

    An interrupt waits until a connection is given back: it would else leave a lock behind.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self.is_file = "://" not in place
        self._engine: Engine | None = None
        self._owner = 0
        self._opening = threading.Lock()
        self._one_at_a_time = threading.Lock()

    @contextmanager
    def reading(self) -> "Iterator[Connection]":
        """Look at one state of the ledger; no writer waits for that."""
        with (
            hold_interrupts(),
            explained_ledger(self.place),
            self._opened().connect() as connection,
        ):
            if self.is_file:
                connection.exec_driver_sql("BEGIN")
            yield connection

    @contextmanager
    def copying(self) -> "Iterator[Connection]":
        """Read one state of a server for as long as it takes; an interrupt ends it.

        A file is copied by SQLite itself.
        """
        with hold_interrupts(), explained_ledger(self.place):
            connection = self._opened().connect()
        try:
            with explained_ledger(self.place):
                connection.exec_driver_sql(_ONE_STATE)
                yield connection
        finally:
            with hold_interrupts():
                connection.close()

    @contextmanager
    def writing(self, *, alone: bool = False) -> "Iterator[Connection]":
        """Change the ledger, all or nothing; ``alone`` where many rows are looked at and changed.

        SQLite has one writer at a time. Its transactions must begin as writers, else two that read
        first block each other; our own threads queue here, which is fairer than how SQLite waits.
        In PostgreSQL workers write side by side, but not beside a change that needs to be alone: a
        claim would skip all units that it has locked.
        """
        with (
            hold_interrupts(),
            explained_ledger(self.place),
            self._turn() as engine,
            engine.connect() as connection,
        ):
            if self.is_file:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                lock = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
                connection.exec_driver_sql(f"SELECT {lock}({TURN})")
            yield connection
            if not self.is_file:
                connection.exec_driver_sql(_NOTIFY)
            connection.commit()

    def now(self, connection: "Connection", clock: Callable[[], float]) -> float:
        """Tell the time in seconds since 1970: by PostgreSQL's clock, or by ours for a file.

        Workers on several machines share a server, and their clocks may be hours apart.
        """
        return clock() if self.is_file else float(connection.exec_driver_sql(_NOW).scalar_one())

    def give_back(self) -> None:
        """Give the space of what was removed back to the disk; PostgreSQL does that on its own."""
        if self.is_file:
            with (
                hold_interrupts(),
                explained_ledger(self.place),
                self._turn() as engine,
                engine.connect() as link,
            ):
                cursor = link.connection.cursor()
                # One step gives back one page, and only a script is stepped to its end.
                cursor.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint")
                cursor.close()

    def close(self) -> None:
        """Let go of all connections; they are made again when they are needed."""
        with hold_interrupts():
            engine, self._engine = self._engine, None
            if engine is not None and self._owner == os.getpid():
                engine.dispose()
            elif engine is not None:
                _of_parents.append(engine)

    @contextmanager
    def _turn(self) -> "Iterator[Engine]":
        engine = self._opened()
        if not self.is_file:
            yield engine
            return
        with self._one_at_a_time:
            yield engine

    def _opened(self) -> "Engine":
        engine = self._engine
        if engine is not None and self._owner == os.getpid():
            return engine
        with self._opening:
            if self._engine is None or self._owner != os.getpid():
                self.close()
                self._one_at_a_time = threading.Lock()  # the parent's may be locked for ever
                self._engine, self._owner = _engine(self.place, is_file=self.is_file), os.getpid()
            return self._engine


def listening(url: str) -> "ServerConnection":
    """Connect to PostgreSQL to be told of each commit of a writer."""
    import psycopg

    plain = url.replace("+psycopg://", "://", 1)
    try:
        connection = psycopg.connect(plain, autocommit=True)
        connection.execute(f"LISTEN {CHANNEL}")
    except psycopg.Error as error:
        raise unreachable(url, error) from None
    return connection


def run(
    connection: "Connection",
    statement: str,
    values: dict[str, Any] | Sequence[dict[str, Any]] = (),
    *,
    lists: Collection[str] = (),
) -> "CursorResult[*tuple[Any, ...]]":
    """Run a statement, once per set of values; ``lists`` names the values that are lists."""
    return connection.execute(_clause(statement, tuple(lists)), values or None)


def batches(keys: Iterable[str]) -> Iterator[list[str]]:
    """Cut keys into lists that fit into one statement."""
    listed = sorted(keys)
    for start in range(0, len(listed), AT_ONCE):
        yield listed[start : start + AT_ONCE]


@cache
def _clause(statement: str, lists: tuple[str, ...]) -> "TextClause":
    from sqlalchemy import bindparam, text

    return text(statement).bindparams(*(bindparam(name, expanding=True) for name in lists))


def _engine(place: str, *, is_file: bool) -> "Engine":
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    if is_file:
        path = Path(place)
        return create_engine("sqlite://", creator=lambda: _connected(path), **_pool(path))
    try:
        return create_engine(_with_driver(place), pool_pre_ping=True, max_overflow=MOST)
    except ImportError as error:
        problem = f"the package {error.name} is not installed"
        hint = install_command("postgres")
        raise InputError(problem, where=shown(place), hint=hint) from None
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        hint = "expected postgresql://USER@HOST/DATABASE in ASSAY_DATABASE_URL, or a file"
        problem = f"not a database address ({error})"
        raise InputError(problem, where=shown(place), hint=hint) from None


def _with_driver(url: str) -> str:
    """Name the driver, where an address leaves it open as most do."""
    scheme, mark, rest = url.partition("://")
    return f"postgresql+psycopg{mark}{rest}" if scheme in ("postgres", "postgresql") else url


def _pool(path: Path) -> dict[str, Any]:
    from sqlalchemy.pool import QueuePool

    made(path.parent)
    return {"poolclass": QueuePool, "pool_size": 5, "max_overflow": MOST}


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        private(path), timeout=PATIENCE_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA synchronous=NORMAL")
        if connection.execute("PRAGMA auto_vacuum").fetchone() != (_INCREMENTAL,):
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # before the first table only
        write_ahead(connection)
    except BaseException:
        connection.close()
        raise
    return connection
