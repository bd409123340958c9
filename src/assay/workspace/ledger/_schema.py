"""Bring a ledger to the tables of this Assay, by the steps in `migrations`, or back by some."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.workspace.disk.faults import code_of
from assay.workspace.ledger._database import Database
from assay.workspace.ledger.faults import damaged_ledger, shown

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["NEWEST", "bring_back", "bring_up_to_date", "find_step"]

NEWEST = "0004"
STEPS = Path(__file__).parents[1] / "migrations"
_one_at_a_time = threading.Lock()  # alembic's operations are one per process


def bring_up_to_date(database: Database, *, to: str | None = None) -> None:
    """Make the tables that are missing, up to a step; a ledger that has them costs one look."""
    wanted = to or NEWEST
    with database.reading() as connection:
        if find_step(connection) == wanted:
            return
    with _one_at_a_time, database.writing(alone=True) as connection:
        _take_steps(connection, database.place, wanted)


def bring_back(database: Database, to: str) -> None:
    """Undo the steps after a step, the newest first; what only they can hold is lost."""
    with _one_at_a_time, database.writing(alone=True) as connection:
        _undo_steps(connection, database.place, to)


def find_step(connection: "Connection") -> str | None:
    """Tell the step that a ledger is at; None if it has no tables yet."""
    from sqlalchemy import inspect

    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    return str(found[0]) if found else None


def _take_steps(connection: "Connection", place: str, to: str) -> None:
    """Take the steps that are left, in the transaction that looked which: another may be faster."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    context = MigrationContext.configure(connection)
    steps = ScriptDirectory(str(STEPS), version_locations=[str(STEPS)])
    at = context.get_current_revision()
    _refuse_newer(at, {step.revision for step in steps.walk_revisions()}, place)
    with _explained_step(place):
        for step in reversed(list(steps.iterate_revisions(to, at))):
            with Operations.context(context):
                step.module.upgrade()
            context.stamp(steps, step.revision)


def _undo_steps(connection: "Connection", place: str, to: str) -> None:
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    context = MigrationContext.configure(connection)
    steps = ScriptDirectory(str(STEPS), version_locations=[str(STEPS)])
    at = context.get_current_revision()
    _refuse_newer(at, {step.revision for step in steps.walk_revisions()}, place)
    with _explained_step(place):
        for step in list(steps.iterate_revisions(at, to)):
            with Operations.context(context):
                step.module.downgrade()
            context.stamp(steps, str(step.down_revision))


def _refuse_newer(at: str | None, known: set[str], place: str) -> None:
    if at is not None and at not in known:
        hint = "update Assay, or choose another folder with --workspace or ASSAY_WORKSPACE"
        problem = f"the database was written by a newer version of Assay (schema version {at})"
        raise InputError(problem, where=shown(place), hint=hint)


@contextmanager
def _explained_step(place: str) -> Iterator[None]:
    """Take a step that fails for damage; a full or closed disk says what it is."""
    from sqlalchemy.exc import DatabaseError

    try:
        yield
    except DatabaseError as error:
        cause = error.orig
        if isinstance(cause, sqlite3.Error) and code_of(cause) != sqlite3.SQLITE_ERROR:
            raise
        raise damaged_ledger(place, cause) from None
