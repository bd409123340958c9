"""Corpora: where each is, and what its last reading found."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records.service import CorpusEntry, Page
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access
from assay.workspace.store._entries import EntryTable
from assay.workspace.store.texts import from_column, to_column, to_json

if TYPE_CHECKING:
    from sqlalchemy import Row

__all__ = ["CORPORA", "Corpora"]

SHOWN = 3  # mappings that a message names
CORPORA = EntryTable("corpus", "corpora", "SELECT t.* FROM corpora t")
_UNREAD: dict[str, Any] = {"fingerprint": "", "documents": None, "skipped": "{}", "last_read": None}
_USED = """SELECT id FROM mappings WHERE corpus = :number AND deleted IS NULL
    ORDER BY number LIMIT :most"""


class Corpora:
    """All corpora of a store; ``revision`` is the one that the caller saw, as for datasets."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def create(
        self, name: str, where: Mapping[str, Any], *, author: str, id_: str = ""
    ) -> CorpusEntry:
        """Note a corpus, which nobody has read yet; one that belongs to a thing has its id."""
        with self._access.writing(author) as change:
            row = CORPORA.insert(change, name=name, id_=id_, place=_place(where), **_UNREAD)
            after = {"name": row.name, "where": json.loads(row.place)}
            change.audit("corpus.create", row.id, after=after)
            return _entry(row)

    def get(self, corpus: str) -> CorpusEntry:
        """Return what is known of a corpus."""
        with self._access.reading() as connection:
            return _entry(CORPORA.find(connection, corpus))

    def page(
        self, *, limit: int = 50, cursor: str = "", contains: str = "", deleted: bool = False
    ) -> Page[CorpusEntry]:
        """List corpora, the newest first: those whose names contain a text, or those deleted."""
        with self._access.reading() as connection:
            return CORPORA.page(
                connection, _entry, limit=limit, cursor=cursor, contains=contains, deleted=deleted
            )

    def move(
        self,
        corpus: str,
        where: Mapping[str, Any],
        *,
        name: str | None = None,
        revision: int | None,
        author: str,
    ) -> CorpusEntry:
        """Say that a corpus is elsewhere; what was found at the old place counts no more.

        With a ``name`` it is renamed, too; if that is refused it stays where it is.
        """
        with self._access.writing(author) as change:
            row = CORPORA.find(change.connection, corpus, revision=revision, lock=True)
            CORPORA.update(change, row, place=_place(where), **_UNREAD)
            before, after = {"where": json.loads(row.place)}, {"where": dict(where)}
            change.audit("corpus.move", corpus, before=before, after=after)
            if name is not None:
                CORPORA.rename(change, row, name)
            return _entry(CORPORA.find(change.connection, corpus))

    def note_reading(
        self,
        corpus: str,
        *,
        fingerprint: str,
        documents: int,
        skipped: Mapping[str, int],
        revision: int | None,
        author: str,
    ) -> CorpusEntry:
        """Note what a reading of a corpus found."""
        found = {"fingerprint": to_column(fingerprint), "documents": documents}
        found |= {"skipped": to_json(skipped, "skipped")}
        with self._access.writing(author) as change:
            row = CORPORA.find(change.connection, corpus, revision=revision, lock=True)
            CORPORA.update(change, row, **found, last_read=change.now)
            before = {"fingerprint": row.fingerprint, "documents": row.documents}
            after = {"fingerprint": found["fingerprint"], "documents": documents}
            change.audit("corpus.read", corpus, before=before, after=after)
            return _entry(CORPORA.find(change.connection, corpus))

    def rename(self, corpus: str, name: str, *, revision: int | None, author: str) -> CorpusEntry:
        """Give a corpus another name."""
        with self._access.writing(author) as change:
            row = CORPORA.find(change.connection, corpus, revision=revision, lock=True)
            CORPORA.rename(change, row, name)
            return _entry(CORPORA.find(change.connection, corpus))

    def delete(self, corpus: str, *, revision: int | None, author: str) -> CorpusEntry:
        """Mark a corpus as deleted, unless a mapping uses it; `undelete` brings it back."""
        with self._access.writing(author) as change:
            row = CORPORA.find(change.connection, corpus, revision=revision, lock=True)
            used = run(change.connection, _USED, {"number": row.number, "most": SHOWN}).scalars()
            CORPORA.delete(change, row, used=[f"mapping {name}" for name in used])
            return _entry(CORPORA.find(change.connection, corpus, deleted=True))

    def undelete(self, corpus: str, *, author: str) -> CorpusEntry:
        """Bring a deleted corpus back."""
        with self._access.writing(author) as change:
            row = CORPORA.find(change.connection, corpus, deleted=True, lock=True)
            CORPORA.undelete(change, row)
            return _entry(CORPORA.find(change.connection, corpus))


def _place(where: Mapping[str, Any]) -> str:
    if not isinstance(where, Mapping) or not where:
        hint = 'expected an object, e.g. {"path": "docs"}'
        raise InputError("the location is missing", where="corpus", hint=hint)
    return to_json(where, "corpus")


def _entry(row: "Row[Any]") -> CorpusEntry:
    return CorpusEntry(
        id=row.id,
        name=from_column(row.name),
        where=json.loads(row.place),
        revision=row.revision,
        created=row.created,
        updated=row.updated,
        fingerprint=from_column(row.fingerprint),
        documents=row.documents,
        skipped=json.loads(row.skipped),
        last_read=row.last_read,
        deleted=row.deleted,
    )
