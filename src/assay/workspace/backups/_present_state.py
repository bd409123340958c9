"""What a restored backup takes the place of."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from assay.text.count_noun import count_noun
from assay.text.join_list import join_list
from assay.workspace.database_state import read_database
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import DAMAGED, code_of, explained
from assay.workspace.ledger.open_database import Database
from assay.workspace.locate import Workspace

__all__ = ["PresentState", "read_present"]

SHOWN = 3  # kinds that a message names
NOUNS = {
    "benchmarks": ("benchmark", ""),
    "datasets": ("dataset", ""),
    "corpora": ("corpus", "corpora"),
    "mappings": ("mapping", ""),
    "judgments": ("judgment", ""),
    "events": ("event", ""),
    "tokens": ("access token", ""),
    "audit_entries": ("audit entry", ""),
    "recorded_answers": ("recorded answer", ""),
}
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
        return not self.content and not self.damage


def read_present(workspace: Workspace) -> PresentState:
    """Look at the database of a workspace; nothing is changed."""
    if workspace.url:
        return _of_server(workspace)
    path = workspace.ledger
    if not path.is_file():
        return PresentState()
    try:
        return _of_file(workspace)
    except sqlite3.Error as error:
        if code_of(error) in {*DAMAGED, sqlite3.SQLITE_ERROR}:
            return PresentState(damage=str(error))
        with explained(path):
            raise


def _of_server(workspace: Workspace) -> PresentState:
    from sqlalchemy import inspect

    content = _content(workspace)
    with closing(Database(workspace.url)) as database, database.reading() as connection:
        tables = set(inspect(connection).get_table_names())
        return _look(tables, lambda ask: connection.exec_driver_sql(ask).all(), content)


def _of_file(workspace: Workspace) -> PresentState:
    with closing(reading(workspace.ledger)) as file:
        found = str(file.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            return PresentState(damage=found)
        size = int(file.execute("PRAGMA page_size").fetchone()[0])
        names = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = {name for (name,) in names}
        content = _content(workspace)
        return _look(tables, lambda ask: file.execute(ask).fetchall(), content, size)


def _content(workspace: Workspace) -> str:
    """Say what there is to lose, what is most important first; empty if there is nothing."""
    counts = read_database(workspace.database).counts
    found = [count_noun(counts[kind], *NOUNS[kind]) for kind in NOUNS if counts.get(kind)]
    return join_list(found, most=SHOWN)


def _look(tables: set[str], ask: _Ask, content: str, page_size: int = 0) -> PresentState:
    fence = ask(_FENCE)[0][0] if "units" in tables else None
    revoked = ask(_REVOKED) if "access_tokens" in tables else ()
    return PresentState(
        content=content,
        fence=int(fence or 0),
        page_size=page_size,
        revoked={str(token): float(when) for token, when in revoked},
    )
