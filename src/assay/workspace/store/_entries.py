"""What has an id, changes by revisions, and is marked when it is deleted: datasets, corpora, ..."""

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import ConflictError, NotFoundError, StaleError
from assay.records.service import Page
from assay.text.quote import quote, quote_value
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Transaction
from assay.workspace.store._cursors import check_limit, contains_pattern, make_page, read_cursor
from assay.workspace.store.texts import from_column, label, to_column

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["EntryTable", "new_id", "unique"]

T = TypeVar("T")
_ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class EntryTable:
    """A table of such things; ``select`` reads them, under the name ``t``."""

    noun: str
    table: str
    select: str
    has_names: bool = True

    def find(
        self,
        connection: "Connection",
        thing: str,
        *,
        revision: int | None = None,
        lock: bool = False,
        deleted: bool = False,
    ) -> "Row[Any]":
        """Find what has this id, and check that nobody changed it since a revision.

        ``lock`` lets nobody else change it before the transaction ends; SQLite has one writer.
        """
        if not isinstance(thing, str) or not _ID.fullmatch(thing):
            raise self._named(connection, thing) or self.unknown(thing, deleted=deleted)
        if lock and connection.dialect.name == "postgresql":
            # By itself: a join would look up the row that others locked in what was there before.
            locked = f"SELECT number FROM {self.table} WHERE id = :id FOR UPDATE"  # noqa: S608
            run(connection, locked, {"id": thing})
        state = "IS NOT NULL" if deleted else "IS NULL"
        statement = f"{self.select} WHERE t.id = :id AND t.deleted {state}"
        found = run(connection, statement, {"id": thing}).one_or_none()
        if found is None:
            raise self._elsewhere(connection, thing, deleted=deleted)
        if revision is not None and found.revision != revision:
            raise self._stale(found, revision)
        return found

    def page(
        self,
        connection: "Connection",
        make: Callable[[Any], T],
        *,
        limit: int,
        cursor: str,
        contains: str = "",
        deleted: bool = False,
        where: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> Page[T]:
        """List some, the newest first; ``where`` is a further condition with its ``values``."""
        named = "AND t.folded LIKE :pattern ESCAPE '!'" if contains else ""
        statement = f"""{self.select} WHERE t.number < :before
            AND t.deleted {"IS NOT NULL" if deleted else "IS NULL"} {named} {where}
            ORDER BY t.number DESC LIMIT :page"""
        asked = {"page": check_limit(limit), **(values or {})}
        asked |= {"before": read_cursor(cursor, self.table, first=2**62)}
        asked |= {"pattern": contains_pattern(contains)} if contains else {}
        return make_page(run(connection, statement, asked).all(), limit, self.table, make)

    def insert(
        self, change: Transaction, *, name: str | None = None, id_: str = "", **values: object
    ) -> "Row[Any]":
        """Make a new one with a new id, or this one, and a name that no other has."""
        given = {"id": id_ or new_id(), **({} if name is None else _names(name)), **values}
        columns = [*given, "revision", "created", "updated"]
        statement = f"""INSERT INTO {self.table} ({", ".join(columns)})
            VALUES ({", ".join(f":{one}" for one in given)}, 1, :now, :now)
            RETURNING *"""  # noqa: S608
        with nullcontext() if name is None else self._unique_name(name):
            return run(change.connection, statement, {**given, "now": change.now}).one()

    def update(self, change: Transaction, row: "Row[Any]", **values: object) -> None:
        """Set columns, and count the revision."""
        sets = "".join(f"{name} = :{name}, " for name in values)
        statement = f"""UPDATE {self.table} SET {sets} revision = revision + 1, updated = :now
            WHERE number = :number"""  # noqa: S608
        run(change.connection, statement, {**values, "now": change.now, "number": row.number})

    def rename(self, change: Transaction, row: "Row[Any]", name: str) -> None:
        """Give it a name that no other has."""
        names = _names(name)
        with self._unique_name(name):
            self.update(change, row, **names)
        before, after = {"name": row.name}, {"name": names["name"]}
        change.audit(f"{self.noun}.rename", row.id, before=before, after=after)

    def delete(self, change: Transaction, row: "Row[Any]", *, used: Sequence[str]) -> None:
        """Mark it as deleted, unless it is ``used`` by something."""
        if used:
            hint = f"first delete what uses it: {', '.join(used)}"
            raise ConflictError("is in use", where=f"{self.noun} {row.id}", hint=hint)
        self.update(change, row, deleted=change.now)
        change.audit(f"{self.noun}.delete", row.id, before=_name_of(row))

    def undelete(self, change: Transaction, row: "Row[Any]") -> None:
        """Bring it back, unless its name has been taken."""
        name = _name_of(row).get("name")
        with nullcontext() if name is None else self._unique_name(from_column(name)):
            self.update(change, row, deleted=None)
        change.audit(f"{self.noun}.undelete", row.id, after=_name_of(row))

    def unknown(self, thing: object, *, deleted: bool = False) -> NotFoundError:
        """Say that there is nothing with an id."""
        noun = f"deleted {self.noun}" if deleted else self.noun
        hint = "it may have been deleted; list them to see which ones exist"
        return NotFoundError(f"unknown {noun} {quote(str(thing)[:60])}", hint=hint)

    def _elsewhere(self, connection: "Connection", thing: str, *, deleted: bool) -> NotFoundError:
        """Say whether what has an id is deleted, or is not although it should be."""
        statement = f"SELECT deleted FROM {self.table} WHERE id = :id"  # noqa: S608
        if run(connection, statement, {"id": thing}).one_or_none() is None:
            return self._named(connection, thing) or self.unknown(thing, deleted=deleted)
        if deleted:
            hint = "there is nothing to bring back"
            return NotFoundError(f"the {self.noun} is not deleted", where=thing, hint=hint)
        hint = "an editor can bring it back with undelete"
        return NotFoundError(f"the {self.noun} was deleted", where=thing, hint=hint)

    def _named(self, connection: "Connection", thing: object) -> NotFoundError | None:
        """Give the id of what has a name, where somebody uses that in its place."""
        if not self.has_names or not isinstance(thing, str) or not thing:
            return None
        statement = f"""SELECT id FROM {self.table}
            WHERE name = :name AND deleted IS NULL"""  # noqa: S608
        found = run(connection, statement, {"name": to_column(thing)}).scalar()
        if found is None:
            return None
        problem = f"unknown {self.noun} {quote(thing[:60])}: an id is expected, not a name"
        return NotFoundError(problem, hint=f'use the id "{found}"')

    def _stale(self, row: "Row[Any]", revision: object) -> StaleError:
        at = f"it is at revision {row.revision}, not {quote_value(revision, 40)}"
        problem = f"was changed in the meantime: {at}"
        hint = "read it again, then repeat the change with the new revision"
        return StaleError(problem, where=f"{self.noun} {row.id}", hint=hint)

    @contextmanager
    def _unique_name(self, name: str) -> Iterator[None]:
        hint = f"choose another name, or rename the other {self.noun}"
        with unique(f"a {self.noun} named {quote(name[:60])} already exists", hint=hint):
            yield


def new_id() -> str:
    """Make an id that nothing else has."""
    return uuid.uuid4().hex[:12]


@contextmanager
def unique(problem: str, *, hint: str) -> Iterator[None]:
    """Say what a unique index refuses."""
    from sqlalchemy.exc import IntegrityError

    try:
        yield
    except IntegrityError:
        raise ConflictError(problem, hint=hint) from None


def _names(name: str) -> dict[str, str]:
    return {"name": label(name, "name"), "folded": to_column(name.casefold())}


def _name_of(row: "Row[Any]") -> dict[str, str]:
    return {"name": row.name} if "name" in row._fields else {}
