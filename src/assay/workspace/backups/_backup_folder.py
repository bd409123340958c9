"""The folder of backups that Assay makes by itself, and whose turn it is to change a database."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from assay.errors import InUseError
from assay.records.track import Track, untracked
from assay.workspace.backups.backup import backup
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import BUSY, code_of, explained
from assay.workspace.disk.folders import made, private
from assay.workspace.ledger.faults import shown
from assay.workspace.ledger.open_database import Database, find_step
from assay.workspace.locate import Workspace

__all__ = ["backup_folder", "current_step", "save", "take_turn"]

PAUSE_S = 0.05
TURN = 0x0A55A8  # names the lock in PostgreSQL that stands for such a turn
_HINT = "wait until that process ends, or stop it, and try again"


def backup_folder(workspace: Workspace) -> Path:
    """Make the folder if need be."""
    return made(workspace.folder / "backups")


def save(workspace: Workspace, why: str, *, track: Track = untracked) -> Path:
    """Back up the database of a workspace to a new file, named by the reason and the time."""
    name = f"{why}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}"
    folder, number = backup_folder(workspace), 1
    file = folder / f"{name}.sqlite"
    while file.exists():
        number += 1
        file = folder / f"{name}-{number}.sqlite"
    return backup(workspace.database, file, track=track).file


def current_step(workspace: Workspace) -> str | None:
    """Tell the schema version of a workspace's database; None if it has no tables yet."""
    if not workspace.url and not workspace.ledger.is_file():
        return None
    if workspace.url:
        with closing(Database(workspace.url)) as database, database.reading() as connection:
            return find_step(connection)
    with explained(workspace.ledger), closing(reading(workspace.ledger)) as file:
        known = "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
        if not file.execute(known).fetchone()[0]:
            return None
        found = file.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(found[0]) if found else None


@contextmanager
def take_turn(workspace: Workspace, *, patience_s: float) -> Iterator[None]:
    """Let nobody else upgrade or restore the database meanwhile; the system ends a dead one's turn.

    InUseError after waiting in vain.
    """
    turn = _turn_of_server if workspace.url else _turn_of_file
    with turn(workspace, time.monotonic() + patience_s):
        yield


@contextmanager
def _turn_of_file(workspace: Workspace, deadline: float) -> Iterator[None]:
    path = private(backup_folder(workspace) / "turn.sqlite")
    with closing(sqlite3.connect(path.absolute(), timeout=0, isolation_level=None)) as connection:
        with explained(path):
            while not _begun(connection):
                _wait(workspace, deadline)
        yield


def _begun(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if code_of(error) not in BUSY:
            raise
        return False
    return True


@contextmanager
def _turn_of_server(workspace: Workspace, deadline: float) -> Iterator[None]:
    with closing(Database(workspace.url)) as database, database.copying() as connection:
        ask = f"SELECT pg_try_advisory_xact_lock({TURN})"
        while not connection.exec_driver_sql(ask).scalar_one():
            _wait(workspace, deadline)
        yield


def _wait(workspace: Workspace, deadline: float) -> None:
    if time.monotonic() >= deadline:
        problem = "another process is upgrading or restoring the database"
        raise InUseError(problem, where=shown(workspace.database), hint=_HINT)
    time.sleep(PAUSE_S)
