"""Copy the ledger and the store while others write: one state of all, in a file of its own.

Indexes, builds and cached vectors are not in it: they are rebuilt when they are needed. The
copy is a ledger: a folder that has it as `ledger.sqlite` is a workspace.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.columns.files.atomic_write import atomic_write
from assay.errors import InputError
from assay.records.track import Track, untracked
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import DAMAGED, code_of, explained
from assay.workspace.disk.folders import private
from assay.workspace.ledger.faults import damaged_ledger, shown

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["STEP", "TABLES", "BackupResult", "backup", "copy_file"]

PAGES = 1000  # that are copied at once: about 4 MB
ROWS = 1000
SIDES = ("-wal", "-shm", "-journal")
STEP = "SELECT version_num FROM alembic_version"
TABLES = """SELECT name FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'alembic_version'"""


@dataclass(frozen=True, slots=True)
class BackupResult:
    """A copy that was made: of what, where it is, at which step of the ledger, and its size."""

    source: str
    file: Path
    step: str
    bytes: int


def backup(
    place: str | Path, file: str | Path, *, force: bool = False, track: Track = untracked
) -> BackupResult:
    """Copy a ledger (a file, or PostgreSQL by its URL) into a file, whole or not at all.

    Others may read and write during the copy, which has the state at its beginning. A file that
    exists is overwritten only with ``force``.
    """
    source, target = str(place), Path(file)
    is_file = "://" not in source
    if is_file and not Path(source).is_file():
        hint = "choose a workspace with --workspace; its first `assay run` creates the database"
        raise InputError("no database to back up", where=source, hint=hint)
    _refuse_target(target, Path(source) if is_file else None, force=force)
    with explained(target), atomic_write(target) as new:
        if new == target:  # a folder that takes no new files: nothing could be written aside
            hint = "choose a file in a folder that you may write to"
            raise InputError("cannot be written there", where=str(target), hint=hint)
        private(new)
        if is_file:
            copy_file(Path(source), new, track)
        else:
            _copy_server(source, new, track)
        step = _check(new, source)
    return BackupResult(shown(source), target, step, target.stat().st_size)


def _refuse_target(target: Path, source: Path | None, *, force: bool) -> None:
    with explained(target):
        there = target.exists() or target.is_symlink()
        if target.is_dir() or (there and not target.is_file()):
            raise InputError("is not a file", where=str(target), hint="give the path of a file")
        if source is not None and there and target.samefile(source):
            hint = "choose another file"
            raise InputError("is the workspace database itself", where=str(target), hint=hint)
        if there and not force:
            hint = "add --force to overwrite it"
            raise InputError("already exists", where=str(target), hint=hint)
        sides = [side for side in SIDES if target.with_name(f"{target.name}{side}").exists()]
        if sides:
            left = f"{target.name}{sides[0]}"
            hint = f"choose another file, or end the process that uses it (it left {left})"
            raise InputError("is a database in use", where=str(target), hint=hint)
        if not target.absolute().parent.is_dir():
            hint = "create the folder first"
            raise InputError("cannot be written there", where=str(target), hint=hint)


def copy_file(source: Path, new: Path, track: Track) -> None:
    """Copy page by page, from one state: without a transaction each write would start it again."""
    with (
        _damage(str(source)),
        closing(reading(source)) as origin,
        closing(_opened(new)) as target,
    ):
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()  # from now on, this state
        parts = ceil(int(origin.execute("PRAGMA page_count").fetchone()[0]) / PAGES)
        steps = iter(track(range(parts), "copying the database", total=parts, unit="parts"))
        origin.backup(target, pages=PAGES, progress=lambda *_: next(steps, None))
        list(steps)  # which ends what is drawn
        target.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it


def _copy_server(source: str, new: Path, track: Track) -> None:
    """Copy table by table, in one transaction that sees one state of all of them."""
    from assay.workspace.ledger.open_database import Database, find_step, make_tables

    with closing(Database(source)) as database, database.copying() as connection:
        step = find_step(connection)
        if step is None:
            hint = "check the address in ASSAY_DATABASE_URL"
            raise InputError("no database to back up", where=shown(source), hint=hint)
        make_tables(str(new), step=step)
        with closing(_opened(new)) as target:
            target.execute("BEGIN")
            for (table,) in target.execute(TABLES).fetchall():
                _copy_table(connection, target, table, track)
            target.execute("COMMIT")
            target.execute("PRAGMA journal_mode=DELETE")


def _copy_table(
    connection: "Connection", target: sqlite3.Connection, table: str, track: Track
) -> None:
    columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
    names = ", ".join(f'"{column}"' for column in columns)
    total = connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608
    insert = f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
    streamed = connection.execution_options(yield_per=ROWS)
    with closing(streamed.exec_driver_sql(f"SELECT {names} FROM {table}")) as found:  # noqa: S608
        rows: Iterable[Sequence[Any]] = (tuple(row) for row in found)
        target.executemany(insert, track(rows, f"copying {table}", total=total, unit="rows"))


def _opened(new: Path) -> sqlite3.Connection:
    """Open a file that nobody else knows yet: what fails is thrown away."""
    connection = sqlite3.connect(new, isolation_level=None)
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")  # the whole file is synced before it is renamed
    return connection


def _check(new: Path, source: str) -> str:
    """Look through the copy: a backup that cannot be read is none; return its step."""
    with _damage(source), closing(sqlite3.connect(new, isolation_level=None)) as connection:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise damaged_ledger(source, found)
        return str(connection.execute(STEP).fetchone()[0])


@contextmanager
def _damage(source: str) -> Iterator[None]:
    """Say of the ledger, and not of its copy, that it is damaged."""
    try:
        yield
    except sqlite3.Error as error:
        if code_of(error) in DAMAGED or str(error).startswith("no such table"):
            raise damaged_ledger(source, error) from None
        raise
