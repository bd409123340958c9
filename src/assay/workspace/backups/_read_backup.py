"""Look at a file before it is restored: whether it is a whole backup of a known version."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from assay.errors import InputError
from assay.workspace.backups.backup import STEP, TABLES
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import DAMAGED, code_of, explained
from assay.workspace.ledger.open_database import NEWEST, make_tables

__all__ = ["check_tables", "read_step"]

LEAST = {"benchmarks", "runs", "units", "recorded"}  # tables of every version
_EXPECTED = "expected a file that `assay workspace backup` wrote"
_OTHER = "use another backup"


def read_step(file: Path) -> str:
    """Return the schema version of a backup; InputError where it cannot be restored."""
    with explained(file):
        if not file.exists():
            raise InputError("no such file", where=str(file), hint=_EXPECTED)
        if not file.is_file():
            raise InputError("is not a file", where=str(file), hint=_EXPECTED)
    try:
        with closing(reading(file)) as connection:
            step = _step_of(connection, file)
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        if code_of(error) in {*DAMAGED, sqlite3.SQLITE_ERROR}:
            raise _no_backup(file, str(error)) from None
        with explained(file):
            raise
    if found != "ok":
        raise InputError(f"the backup is damaged ({found})", where=str(file), hint=_OTHER)
    return step


def check_tables(prepared: Path, file: Path, folder: Path) -> None:
    """Refuse a backup whose tables, brought to this version, are other ones than it has."""
    fresh = folder / "tables.sqlite"
    make_tables(str(fresh), step=NEWEST)
    if _columns(prepared) != _columns(fresh):
        raise _no_backup(file, "it has other tables")


def _step_of(connection: sqlite3.Connection, file: Path) -> str:
    tables = {name for (name,) in connection.execute(TABLES)}
    if not tables >= LEAST:
        raise _no_backup(file, "it has other tables")
    row = connection.execute(STEP).fetchone()
    step = str(row[0]) if row else ""
    if not re.fullmatch(r"\d{4}", step):
        raise _no_backup(file, "it has no schema version")
    if step > NEWEST:
        problem = f"was written by a newer version of Assay (schema version {step})"
        hint = f"update Assay, or use a backup of schema version {NEWEST} or older"
        raise InputError(problem, where=str(file), hint=hint)
    return step


def _columns(path: Path) -> dict[str, set[str]]:
    with explained(path), closing(reading(path)) as connection:
        names = [name for (name,) in connection.execute(TABLES)]
        return {
            name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
            for name in names
        }


def _no_backup(file: Path, reason: str) -> InputError:
    return InputError(f"is not a backup of a workspace ({reason})", where=str(file), hint=_EXPECTED)
