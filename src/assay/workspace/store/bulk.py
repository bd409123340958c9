"""Many rows at once: the one place where they are written, so that a faster way can replace it."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from assay.workspace.ledger.open_database import run

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["insert_many"]

AT_ONCE = 1000  # rows that are sent together
MANY = 10_000  # rows after which PostgreSQL counts again: until it does, its plans are for few


def insert_many(
    connection: "Connection",
    table: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    skip_known: bool = False,
) -> int:
    """Insert rows into a table, and return how many; ``skip_known`` leaves out those it has."""
    values = ", ".join(f":{column}" for column in columns)
    known = " ON CONFLICT DO NOTHING" if skip_known else ""
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values}){known}"  # noqa: S608
    left, inserted = iter(rows), 0
    while some := [dict(zip(columns, row, strict=True)) for row in islice(left, AT_ONCE)]:
        inserted += run(connection, statement, some).rowcount
    if inserted >= MANY and connection.dialect.name == "postgresql":
        run(connection, f"ANALYZE {table}")
    return inserted
