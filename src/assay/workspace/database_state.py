"""What is in the database of a workspace: its step, its size, and how many of each kind."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from assay.workspace._shrink_files import memory_bytes
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import DAMAGED, code_of, explained
from assay.workspace.ledger.faults import damaged_ledger, shown

__all__ = ["COUNTED", "DatabaseState", "read_database"]

COUNTED = {
    "benchmarks": "benchmarks",
    "runs": "runs",
    "units": "units",
    "recorded_answers": "recorded",
    "datasets": "datasets WHERE deleted IS NULL",
    "dataset_versions": "dataset_versions",
    "corpora": "corpora WHERE deleted IS NULL",
    "mappings": "mappings WHERE deleted IS NULL",
    "judgments": "judgments",
    "events": "events",
    "tokens": "access_tokens WHERE revoked IS NULL",
    "audit_entries": "audit",
}
"""What is counted, and where; a step that has no such table has none of it."""
_STEP = "SELECT version_num FROM alembic_version"
_SERVER_BYTES = "SELECT pg_database_size(current_database())"


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """The database of a workspace; ``step`` is None where there is none yet."""

    kind: str
    place: str
    step: str | None = None
    bytes: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def read_database(place: str | Path) -> DatabaseState:
    """Look at a database, a file or PostgreSQL by its URL; nothing is made or changed."""
    if "://" in str(place):
        return _of_server(str(place))
    path = Path(place)
    if not path.is_file():
        return DatabaseState("SQLite", str(path), counts=dict.fromkeys(COUNTED, 0))
    try:
        with explained(path), closing(reading(path)) as connection:
            tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
            names = {name for (name,) in connection.execute(tables)}
            step, counts = _look(names, lambda question: connection.execute(question).fetchone()[0])
            return DatabaseState("SQLite", str(path), step, memory_bytes(path), counts)
    except sqlite3.Error as error:
        if code_of(error) in DAMAGED:
            raise damaged_ledger(str(path), error) from None
        raise


def _of_server(place: str) -> DatabaseState:
    from sqlalchemy import inspect

    from assay.workspace.ledger.open_database import Database

    with closing(Database(place)) as database, database.reading() as connection:
        names = set(inspect(connection).get_table_names())
        step, counts = _look(
            names, lambda question: connection.exec_driver_sql(question).scalar_one()
        )
        size = int(connection.exec_driver_sql(_SERVER_BYTES).scalar_one())
    return DatabaseState("PostgreSQL", shown(place), step, size, counts)


def _look(names: set[str], ask: Callable[[str], object]) -> tuple[str | None, dict[str, int]]:
    step = str(ask(_STEP)) if "alembic_version" in names else None
    counts = {
        what: int(str(ask(f"SELECT count(*) FROM {where}")))  # noqa: S608
        if where.partition(" ")[0] in names
        else 0
        for what, where in COUNTED.items()
    }
    return step, counts
