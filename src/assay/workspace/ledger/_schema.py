"""Bring a ledger to the tables of this Assay, by the steps in `migrations`."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.workspace.ledger._database import Database
from assay.workspace.ledger.faults import damaged_ledger, shown

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["NEWEST", "bring_up_to_date"]

NEWEST = "0003"
STEPS = Path(__file__).parents[1] / "migrations"
_one_at_a_time = threading.Lock()  # alembic's operations are one per process


def bring_up_to_date(database: Database) -> None:
    """Make the tables that are missing; a ledger that has them costs one look."""
    with database.reading() as connection:
        if _version(connection) == NEWEST:
            return
    with _one_at_a_time, database.writing(alone=True) as connection:
        _take_steps(connection, database.place)


def _version(connection: "Connection") -> str | None:
    from sqlalchemy import inspect

    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    return str(found[0]) if found else None


def _take_steps(connection: "Connection", place: str) -> None:
    """Take the steps that are left, in the transaction that looked which: another may be faster."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory
    from sqlalchemy.exc import DatabaseError

    context = MigrationContext.configure(connection)
    steps = ScriptDirectory(str(STEPS), version_locations=[str(STEPS)])
    at = context.get_current_revision()
    if at is not None and at not in {step.revision for step in steps.walk_revisions()}:
        hint = "update Assay, or choose another folder with --workspace or ASSAY_WORKSPACE"
        problem = f"the ledger was written by a newer Assay (step {at})"
        raise InputError(problem, where=shown(place), hint=hint)
    try:
        for step in reversed(list(steps.iterate_revisions("head", at))):
            with Operations.context(context):
                step.module.upgrade()
            context.stamp(steps, step.revision)
    except DatabaseError as error:
        raise damaged_ledger(place, error.orig) from None
