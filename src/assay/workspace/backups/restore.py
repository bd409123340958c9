"""Put a backup in the place of a workspace's database, also while others use that.

A file is replaced by SQLite's own backup, in one transaction: whoever has it open reads on in the
state before, and next time finds the new one, as after any other change. PostgreSQL gets all rows
in one transaction. Nothing is changed before the backup was checked and brought to this version.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import ConflictError, InputError, InUseError, UnavailableError
from assay.records.track import Track, untracked
from assay.workspace.backups._backup_folder import backup_folder, current_step, save, take_turn
from assay.workspace.backups._present_state import PresentState, read_present
from assay.workspace.backups._read_backup import check_tables, read_step
from assay.workspace.backups.backup import PAGES, SIDES, TABLES, copy_file
from assay.workspace.disk.connections import PATIENCE_S, reading, write_ahead
from assay.workspace.disk.faults import BUSY, explained
from assay.workspace.disk.folders import private
from assay.workspace.ledger.faults import shown
from assay.workspace.ledger.open_database import NEWEST, open_database
from assay.workspace.locate import Workspace
from assay.workspace.scratch import scratch, sweep_scratch

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["RestoreResult", "restore"]

PAUSE_S = 0.005
WHY = "before-restore"
LATER = 1000  # fence numbers that others may have given out while the backup was prepared
_FENCE = "UPDATE units SET fence = :fence"
_NOBODY = "DELETE FROM workers"  # those of then: whoever works now finds itself taken off
_REVOKED = "UPDATE access_tokens SET revoked = :time WHERE id = :id AND revoked IS NULL"
_COUNT_ON = """SELECT setval(pg_get_serial_sequence('{table}', 'number'), max(number))
    FROM {table} HAVING max(number) IS NOT NULL"""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was restored: from which file and schema version, where to, and which version it is now.

    ``saved`` is what was there before, None if there was nothing: a backup, or the damaged file.
    """

    file: Path
    place: str
    backup_step: str
    step: str
    saved: Path | None = None


def restore(
    workspace: Workspace,
    file: str | Path,
    *,
    force: bool = False,
    track: Track = untracked,
    patience_s: float = PATIENCE_S,
) -> RestoreResult:
    """Replace all that a workspace's database contains by a backup, all or nothing.

    What is there is replaced only with ``force``, and is backed up before; tokens that are revoked
    stay so. Whoever works on a benchmark is fenced: what was not recorded is done again.
    """
    source = Path(file)
    step = read_step(source)
    _refuse_itself(source, workspace)
    with take_turn(workspace, patience_s=patience_s):
        present = read_present(workspace)
        _refuse_content(present, workspace, force=force)
        folder = backup_folder(workspace)
        sweep_scratch(folder)
        with scratch(folder) as aside:
            prepared = _prepare(source, aside, present, track)
            replace = _replace_rows if workspace.url else _replace_file
            saved = replace(workspace, prepared, present, track, patience_s)
    return RestoreResult(source, shown(workspace.database), step, NEWEST, saved)


def _refuse_itself(source: Path, workspace: Workspace) -> None:
    live = workspace.ledger
    with explained(source):
        if not workspace.url and live.exists() and source.samefile(live):
            hint = "give the path of a backup"
            raise InputError("is the workspace database itself", where=str(source), hint=hint)


def _refuse_content(present: PresentState, workspace: Workspace, *, force: bool) -> None:
    if force or present.is_empty:
        return
    if present.damage:
        problem = f"the workspace database is damaged ({present.damage})"
        hint = "add --force to replace it; the damaged file is kept in the folder backups"
        raise ConflictError(problem, where=shown(workspace.database), hint=hint)
    hint = "add --force to replace all of it (it is backed up first), or choose another --workspace"
    problem = f"the workspace is not empty ({present.content})"
    raise ConflictError(problem, where=shown(workspace.database), hint=hint)


def _prepare(source: Path, aside: Path, present: PresentState, track: Track) -> Path:
    """Copy a backup, and make of the copy what the workspace is to contain."""
    prepared = aside / "restored.sqlite"
    with explained(aside):
        private(prepared)
        copy_file(source, prepared, track)
        with _of_backup(source):
            open_database(str(prepared)).close()
        check_tables(prepared, source, aside)
        with closing(sqlite3.connect(prepared, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            own = connection.execute("SELECT max(fence) FROM units").fetchone()[0] or 0
            connection.execute("BEGIN")
            connection.execute(_FENCE, {"fence": max(own, present.fence) + LATER})
            connection.execute(_NOBODY)
            revoked = [{"id": token, "time": when} for token, when in present.revoked.items()]
            connection.executemany(_REVOKED, revoked)
            connection.execute("COMMIT")
            if present.page_size:  # a file in use cannot change its own
                connection.execute(f"PRAGMA page_size={present.page_size}")
                connection.execute("VACUUM")
    return prepared


@contextmanager
def _of_backup(file: Path) -> Iterator[None]:
    """Say of the backup, and not of its copy, what cannot be upgraded."""
    try:
        yield
    except InputError as error:
        problem = f"the backup cannot be upgraded: {error.problem}"
        raise InputError(problem, where=str(file), hint=error.hint) from None


def _replace_file(
    workspace: Workspace,
    prepared: Path,
    present: PresentState,
    track: Track,
    patience_s: float,
) -> Path | None:
    live, saved = workspace.ledger, None
    if present.damage:
        return _replace_damaged(live, prepared, backup_folder(workspace))
    keep = not present.is_empty
    with (
        explained(live),
        closing(_opened(live)) as target,
        closing(reading(prepared)) as origin,
    ):
        if keep and target.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            saved, keep = save(workspace, WHY, track=track), False  # nobody reads while one writes
        total = int(origin.execute("PRAGMA page_count").fetchone()[0])
        at_once = max(1, min(PAGES, total - 1))  # the last step is the commit
        parts = range(ceil(total / at_once))
        steps = iter(track(parts, "restoring the database", total=len(parts), unit="parts"))
        deadline = time.monotonic() + patience_s

        def progress(status: int, remaining: int, total: int) -> None:
            nonlocal saved, keep
            if status in BUSY:
                _refuse_waiting(live, deadline)
            elif keep:  # from now on nobody else writes: what is saved is what is replaced
                saved, keep = save(workspace, WHY, track=track), False
            else:
                next(steps, None)

        origin.backup(target, pages=at_once, progress=progress, sleep=PAUSE_S)
        list(steps)  # which ends what is drawn
        with suppress(sqlite3.Error):  # readers may need the log for now
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return saved


def _opened(live: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(private(live).absolute(), timeout=PATIENCE_S, isolation_level=None)
    try:
        write_ahead(connection)
        connection.execute("PRAGMA busy_timeout=0")
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_waiting(live: Path, deadline: float) -> None:
    if time.monotonic() >= deadline:
        hint = "wait until that process ends, or stop it, and try again; nothing was changed"
        raise InUseError("another process is writing to it", where=str(live), hint=hint)


def _replace_damaged(live: Path, prepared: Path, folder: Path) -> Path:
    """Keep a damaged file, and what SQLite has left of its log: parts may still be readable.

    The new file takes its place by being renamed: a kill leaves one or the other.
    """
    stem, number = f"damaged-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}", 1
    kept = folder / f"{stem}.sqlite"
    while kept.exists():
        number += 1
        kept = folder / f"{stem}-{number}.sqlite"
    with explained(live):
        shutil.copyfile(live, private(kept))
        for side in SIDES:  # a log of the damaged file must not be applied to the new one
            with suppress(FileNotFoundError):
                live.with_name(f"{live.name}{side}").rename(kept.with_name(f"{kept.name}{side}"))
        with prepared.open("rb+") as file:
            os.fsync(file.fileno())
        prepared.replace(live)
    return kept


def _replace_rows(
    workspace: Workspace,
    prepared: Path,
    present: PresentState,
    track: Track,
    patience_s: float,
) -> Path | None:
    keep: Callable[[], Path | None] = lambda: None  # noqa: E731
    saved = None
    if not present.is_empty:
        keep = lambda: save(workspace, WHY, track=track)  # noqa: E731
        if current_step(workspace) != NEWEST:
            saved, keep = keep(), lambda: None
    with (
        closing(open_database(workspace.url)) as database,
        closing(reading(prepared)) as origin,
        _refused_by_server(workspace.url),
        database.writing(alone=True) as connection,
    ):
        saved = keep() or saved
        for (table,) in origin.execute(TABLES).fetchall():
            _replace_table(connection, origin, table, track)
    return saved


@contextmanager
def _refused_by_server(url: str) -> Iterator[None]:
    """Say why a server does not take rows: they are sent past what explains its errors."""
    from psycopg import Error, OperationalError

    try:
        yield
    except Error as error:
        reason = (str(error).strip().splitlines() or ["no reason given"])[0]
        hint = "check the server and try again; nothing was changed"
        kind = UnavailableError if isinstance(error, OperationalError) else InputError
        raise kind(
            f"the database did not accept the backup ({reason})", where=shown(url), hint=hint
        ) from None


def _replace_table(
    connection: "Connection", origin: sqlite3.Connection, table: str, track: Track
) -> None:
    columns = [row[1] for row in origin.execute(f"PRAGMA table_info({table})")]
    names = ", ".join(f'"{column}"' for column in columns)
    total = origin.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    rows = origin.execute(f"SELECT {names} FROM {table}")  # noqa: S608
    connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608
    server = connection.connection.cursor()
    with server.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
        for row in track(rows, f"restoring {table}", total=total, unit="rows"):
            copy.write_row(row)
    server.close()
    if "number" in columns:
        connection.exec_driver_sql(_COUNT_ON.format(table=table))
