"""Who did what to which object, and when; every change of the store adds an entry with it."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.records.service import AuditEntry, Page
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access
from assay.workspace.store._cursors import check_limit, make_page, read_cursor
from assay.workspace.store.texts import from_column, to_column

if TYPE_CHECKING:
    from sqlalchemy import Row

__all__ = ["AuditLog"]

_PAGE = """SELECT t.* FROM audit t WHERE number < :before {more}
    ORDER BY number DESC LIMIT :page"""


class AuditLog:
    """The entries of a store, which are only ever added."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def note(self, act: str, thing: str, *, author: str, after: Mapping[str, Any]) -> None:
        """Add an entry for what changed nothing in the store, such as a refused token."""
        with self._access.writing(author) as change:
            change.audit(act, thing, after=after)

    def page(
        self,
        *,
        kind: str | None = None,
        thing: str | None = None,
        author: str | None = None,
        limit: int = 50,
        cursor: str = "",
    ) -> Page[AuditEntry]:
        """List entries, the newest first: all, or those of a kind, of an id, or of an author."""
        asked = {"kind": kind, "object": thing, "author": author}
        values: dict[str, Any] = {k: to_column(v) for k, v in asked.items() if v is not None}
        statement = _PAGE.format(more=" ".join(f"AND {name} = :{name}" for name in values))
        values |= {"before": read_cursor(cursor, "audit", first=2**62), "page": check_limit(limit)}
        with self._access.reading() as connection:
            rows = run(connection, statement, values).all()
        return make_page(rows, limit, "audit", _entry)


def _entry(row: "Row[Any]") -> AuditEntry:
    return AuditEntry(
        number=row.number,
        time=row.time,
        author=from_column(row.author),
        act=row.act,
        kind=row.kind,
        object=from_column(row.object),
        before=json.loads(row.before),
        after=json.loads(row.after),
    )
