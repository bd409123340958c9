"""The database of a workspace, for all that is kept in it beside the ledger."""

from contextlib import closing
from typing import TYPE_CHECKING

from assay.workspace.ledger._database import Database, batches, listening, run
from assay.workspace.ledger._schema import NEWEST, bring_up_to_date, find_step

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "NEWEST",
    "Database",
    "add_entry",
    "batches",
    "find_step",
    "listening",
    "make_tables",
    "open_database",
    "run",
]

_AUDIT = """INSERT INTO audit (time, author, act, kind, object, before, after)
    VALUES (:time, :author, :act, :kind, :object, :before, :after)"""


def open_database(place: str) -> Database:
    """Open the database in a file, or PostgreSQL by its URL, with the tables of this Assay."""
    database = Database(place)
    try:
        bring_up_to_date(database)
    except BaseException:
        database.close()
        raise
    return database


def make_tables(place: str, *, step: str) -> None:
    """Make the tables of a step in a new file, without any rows."""
    with closing(Database(place)) as database:
        bring_up_to_date(database, to=step)


def add_entry(
    connection: "Connection",
    act: str,
    thing: str,
    *,
    author: str,
    now: float,
    before: str = "{}",
    after: str = "{}",
) -> None:
    """Note in the audit log what is done to a thing, in the transaction that does it.

    ``act`` begins with the kind of the thing, as in "benchmark.start"; ``before`` and ``after`` are
    JSON. Texts are written as they are.
    """
    entry = {"time": now, "author": author, "act": act, "kind": act.partition(".")[0]}
    run(connection, _AUDIT, {**entry, "object": thing, "before": before, "after": after})
