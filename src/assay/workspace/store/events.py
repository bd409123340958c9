"""Events of live search: appended, read in their order, forgotten by age or for a user."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records.service import EventEntry, NewEvent, Page
from assay.text.quote import quote_value
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access
from assay.workspace.store._cursors import check_limit, make_page, read_cursor
from assay.workspace.store.bulk import insert_many
from assay.workspace.store.texts import from_column, label, to_column, to_json

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["EventLog"]

AT_ONCE = 10_000  # events that one transaction forgets
TURN = 0x0A55A7E  # names the lock in PostgreSQL of those who append
NAMES = ("session", "benchmark", "configuration")
COLUMNS = (*("id", "time", "received", "kind", "user_id", *NAMES, "query", "payload"),)
_PAGE = """SELECT t.* FROM events t WHERE number {side} :at {more}
    ORDER BY number {direction} LIMIT :page"""
_FORGET = """DELETE FROM events WHERE number IN
    (SELECT number FROM events WHERE {condition} ORDER BY number LIMIT :most)"""


class EventLog:
    """All events of a store, in the order in which they came."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def record(self, events: Sequence[NewEvent]) -> int:
        """Append events, and return how many were new: an id that is known is not stored again."""
        with self._access.database.writing() as connection:
            _take_turn(connection)
            now = self._access.now(connection)
            rows = list(_rows(events, now))
            return insert_many(connection, "events", COLUMNS, rows, skip_known=True)

    def page(
        self,
        *,
        kind: str | None = None,
        user: str | None = None,
        benchmark: str | None = None,
        configuration: str | None = None,
        query: str | None = None,
        newest_first: bool = False,
        limit: int = 50,
        cursor: str = "",
    ) -> Page[EventEntry]:
        """List events in the order in which they came, or backwards; the last cursor goes on."""
        asked = {"kind": kind, "user_id": user, "benchmark": benchmark}
        asked |= {"configuration": configuration, "query": query}
        values: dict[str, Any] = {k: to_column(v) for k, v in asked.items() if v is not None}
        order, first = ("newest_events", 2**62) if newest_first else ("events", 0)
        statement = _PAGE.format(
            side="<" if newest_first else ">",
            direction="DESC" if newest_first else "ASC",
            more=" ".join(f"AND {name} = :{name}" for name in values),
        )
        values |= {"at": read_cursor(cursor, order, first=first), "page": check_limit(limit)}
        with self._access.reading() as connection:
            rows = run(connection, statement, values).all()
        return make_page(rows, limit, order, _entry)

    def forget_before(self, received: float, *, author: str, most: int = AT_ONCE) -> int:
        """Remove events that came before a time, and return how many; call it until it is 0."""
        return self._forget("received < :before", {"before": received}, author, most)

    def forget_user(self, user: str, *, author: str, most: int = AT_ONCE) -> int:
        """Remove the events of a user, and return how many; call it until it is 0."""
        name = label(user, "user")
        return self._forget("user_id = :user AND user_id <> ''", {"user": name}, author, most)

    def _forget(self, condition: str, values: dict[str, Any], author: str, most: int) -> int:
        with self._access.writing(author) as change:
            statement = _FORGET.format(condition=condition)
            number = run(change.connection, statement, {**values, "most": most}).rowcount
            if number:
                by = "age" if "before" in values else "user"
                change.audit("event.forget", by, after={"events": number})
            return number


def _take_turn(connection: "Connection") -> None:
    """Let one append at a time, so that numbers come in the order in which others see them.

    Else who reads on from a number could miss a lower one that is committed later.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({TURN})")


def _rows(events: Sequence[NewEvent], now: float) -> Iterator[tuple[Any, ...]]:
    for event in events:
        time = now if event.time is None else event.time
        if isinstance(time, bool) or not isinstance(time, int | float) or not _is_time(time):
            hint = "expected seconds since 1970"
            raise InputError(f"invalid time {quote_value(time, 40)}", where="event", hint=hint)
        names = [label(getattr(event, name), name, required=False) for name in NAMES]
        yield (
            label(event.id, "id", required=False) or None,
            float(time),
            now,
            label(event.kind, "kind"),
            label(event.user, "user", required=False),
            *names,
            to_column(event.query),
            to_json(event.payload, "payload"),
        )


def _is_time(time: float) -> bool:
    return math.isfinite(time) and abs(time) < 1e12


def _entry(row: "Row[Any]") -> EventEntry:
    names = {name: from_column(getattr(row, name)) for name in (*NAMES, "kind", "query")}
    event = NewEvent(
        time=row.time,
        id=from_column(row.id or ""),
        user=from_column(row.user_id),
        payload=json.loads(row.payload),
        **names,
    )
    return EventEntry(row.number, row.received, event)
