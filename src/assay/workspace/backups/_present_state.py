"""What a restored backup takes the place of."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import explained
from assay.workspace.ledger.open_database import Database
from assay.workspace.locate import Workspace

__all__ = ["PresentState", "read_present"]

SHOWN = 3  # kinds that a message names
_FENCE = "SELECT max(fence) FROM units"
_REVOKED = "SELECT id, revoked FROM access_tokens WHERE revoked IS NOT NULL"
_Ask = Callable[[str], Sequence[Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class PresentState:
    """What is in a database: ``content`` in words, or what its ``damage`` is.

    ``fence`` is the highest number of a claim, ``revoked`` when tokens were revoked.
    """

    content: str = ""
    damage: str = ""
    fence: int = 0
    page_size: int = 0
    revoked: dict[str, float] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to lose."""
        return not self.content


def read_present(workspace: Workspace) -> PresentState:
    """Look at the database of a workspace; nothing is changed."""
    if workspace.url:
        content = _content(workspace)
        with closing(Database(workspace.url)) as database, database.reading() as connection:
            from sqlalchemy import inspect

            tables = set(inspect(connection).get_table_names())
            return _look(tables, lambda ask: connection.exec_driver_sql(ask).all(), content, 0)
    path = workspace.ledger
    if not path.is_file():
        return PresentState()
    try:
        with explained(path), closing(reading(path)) as file:
            if (found := file.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                return PresentState(damage=str(found))
            names = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = {name for (name,) in names}
            size = int(file.execute("PRAGMA page_size").fetchone()[0])
            return _look(
                tables, lambda ask: file.execute(ask).fetchall(), _content(workspace), size
            )
    except sqlite3.Error as error:
        return PresentState(damage=str(error))
