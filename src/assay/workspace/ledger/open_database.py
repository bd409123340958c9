"""The database of a workspace, for all that is kept in it beside the ledger."""

from contextlib import closing

from assay.workspace.ledger._database import Database, batches, listening, run
from assay.workspace.ledger._schema import NEWEST, bring_up_to_date, find_step

__all__ = [
    "NEWEST",
    "Database",
    "batches",
    "find_step",
    "listening",
    "make_tables",
    "open_database",
    "run",
]


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
