"""One transaction of the store: its connection, its time, and who writes."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.workspace.ledger.open_database import Database, add_entry
from assay.workspace.store.texts import label, to_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["Access", "Transaction"]


@dataclass(frozen=True, slots=True)
class Transaction:
    """A change of the store: all of it is written, or nothing."""

    connection: "Connection"
    now: float
    author: str

    def audit(
        self,
        act: str,
        thing: str,
        *,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        """Note what is done to a thing; ``act`` begins with its kind, as in "dataset.rename"."""
        told = {"before": to_json(before or {}, "before"), "after": to_json(after or {}, "after")}
        add_entry(self.connection, act, thing, author=self.author, now=self.now, **told)


@dataclass(frozen=True, slots=True)
class Access:
    """The database of the store, and the clock that counts where it is a file."""

    database: Database
    clock: Callable[[], float]

    @contextmanager
    def reading(self) -> "Iterator[Connection]":
        """Look at one state of the store."""
        with self.database.reading() as connection:
            yield connection

    @contextmanager
    def writing(self, author: str) -> Iterator[Transaction]:
        """Change the store, all or nothing."""
        written = label(author, "author")
        with self.database.writing() as connection:
            yield Transaction(connection, self.now(connection), written)

    def now(self, connection: "Connection") -> float:
        """Tell the time of a transaction."""
        return self.database.now(connection, self.clock)
