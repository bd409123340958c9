"""Datasets with versions: stored, read back, edited, restored."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.errors import NotFoundError
from assay.records.dataset import Dataset, Query, Reference
from assay.records.service import DatasetChanges, DatasetEntry, DatasetVersion, Page, QueryVersion
from assay.text.quote import quote, quote_value
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access, Transaction
from assay.workspace.store._cursors import check_limit, make_page, read_cursor
from assay.workspace.store._entries import EntryTable
from assay.workspace.store.texts import from_column, to_column
from assay.workspace.store.versions.changes import count_changes, describe_changes, read_changes
from assay.workspace.store.versions.codec import (
    EncodedRow,
    decode_document,
    decode_query,
    decode_settings,
    encode_document,
    encode_query,
    encode_settings,
    hash_settings,
    name_of,
)
from assay.workspace.store.versions.grades import change_grade, refuse_grades
from assay.workspace.store.versions.rows import (
    FOREVER,
    find_content,
    list_content,
    put_rows,
    read_contents,
    read_page,
    remove_rows,
    replace_rows,
    restore_rows,
    sum_up_rows,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["DATASETS", "Datasets", "find_version", "read_dataset"]

SHOWN = 3  # mappings that a message names

_VERSION = """v.version AS at_version, v.author, v.created AS version_created, v.note,
    v.fingerprint, v.queries, v.judgments, v.documents, v.changes, v.settings, v.restored"""
DATASETS = EntryTable(
    "dataset",
    "datasets",
    f"""SELECT t.*, {_VERSION} FROM datasets t
    JOIN dataset_versions v ON v.dataset = t.number AND v.version = t.version""",  # noqa: S608
)
_NEW_VERSION = """INSERT INTO dataset_versions (dataset, version, author, created, note,
    fingerprint, queries, judgments, documents, changes, settings, restored)
    VALUES (:dataset, :version, :author, :now, :note,
    :fingerprint, :queries, :judgments, :documents, :changes, :settings, :restored)"""
_ONE_VERSION = f"""SELECT {_VERSION} FROM dataset_versions v
    WHERE v.dataset = :dataset AND v.version = :version"""  # noqa: S608
_VERSIONS = f"""SELECT {_VERSION} FROM dataset_versions v WHERE v.dataset = :dataset
    AND v.version < :before ORDER BY v.version DESC LIMIT :page"""  # noqa: S608
_USED = """SELECT id FROM mappings WHERE dataset = :number AND deleted IS NULL
    ORDER BY number LIMIT :most"""

_Write = Callable[["Connection", "Row[Any]", int], bytes]


class Datasets:
    """All datasets of a store. A version never changes; who changes a dataset makes a new one.

    ``revision`` is the one that the caller saw: if the dataset has another by now, the change is
    refused (StaleError); None changes it whatever it is.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def create(
        self, dataset: Dataset, *, author: str, note: str = "", name: str = "", id_: str = ""
    ) -> DatasetEntry:
        """Store a dataset as version 1, under its own name or another one.

        Whoever may have to begin again gives it an id of its own, so that it is stored once.
        """
        called, encoded = name or dataset.name, _encode(dataset)
        with self._access.writing(author) as change:
            row = DATASETS.insert(change, name=called, id_=id_, version=1)
            _write_all(change.connection, row.number, encoded, 1)
            changes = count_changes(change.connection, row.number, 1, settings=False)
            _write_version(change, row.number, 1, encoded.settings, changes, note=note)
            after = {"name": row.name, "version": 1, "changes": describe_changes(changes)}
            change.audit("dataset.create", row.id, after=after)
            return _entry(DATASETS.find(change.connection, row.id))

    def get(self, dataset: str) -> DatasetEntry:
        """Return what is known of a dataset."""
        with self._access.reading() as connection:
            return _entry(DATASETS.find(connection, dataset))

    def page(
        self, *, limit: int = 50, cursor: str = "", contains: str = "", deleted: bool = False
    ) -> Page[DatasetEntry]:
        """List datasets, the newest first: those whose names contain a text, or those deleted."""
        with self._access.reading() as connection:
            return DATASETS.page(
                connection, _entry, limit=limit, cursor=cursor, contains=contains, deleted=deleted
            )

    def read(self, dataset: str, version: int | None = None) -> Dataset:
        """Return a version as it was stored; without a number the current one."""
        with self._access.reading() as connection:
            row = DATASETS.find(connection, dataset)
            return read_dataset(connection, row, version)

    def queries(
        self, dataset: str, *, version: int | None = None, limit: int = 50, cursor: str = ""
    ) -> Page[Query]:
        """List the queries of a version in their order."""
        page, after = check_limit(limit), read_cursor(cursor, "queries", first=0)
        with self._access.reading() as connection:
            row = DATASETS.find(connection, dataset)
            at = find_version(connection, row, version).at_version
            rows = read_page(connection, row.number, "query", at, after=after, page=page)
        return make_page(rows, limit, "queries", lambda row: decode_query(row.content), at="place")

    def query(self, dataset: str, key: str, *, version: int | None = None) -> Query:
        """Return one query of a version."""
        with self._access.reading() as connection:
            row = DATASETS.find(connection, dataset)
            at = find_version(connection, row, version).at_version
            return _find_query(connection, row, key, at)

    def history(self, dataset: str, key: str) -> tuple[QueryVersion, ...]:
        """Tell all that a query ever was, the newest first."""
        with self._access.reading() as connection:
            row = DATASETS.find(connection, dataset)
            rows = list_content(connection, row.number, "query", name_of(key))
        if not rows:
            raise _no_query(key)
        return tuple(
            QueryVersion(
                decode_query(row.content), row.since, None if row.until == FOREVER else row.until
            )
            for row in rows
        )

    def version(self, dataset: str, number: int) -> DatasetVersion:
        """Return what is known of a version."""
        with self._access.reading() as connection:
            row = DATASETS.find(connection, dataset)
            return _version(find_version(connection, row, number))

    def versions(self, dataset: str, *, limit: int = 50, cursor: str = "") -> Page[DatasetVersion]:
        """List the versions of a dataset, the newest first."""
        asked = {"page": check_limit(limit)}
        asked |= {"before": read_cursor(cursor, "versions", first=FOREVER)}
        with self._access.reading() as connection:
            row = DATASETS.find(connection, dataset)
            rows = run(connection, _VERSIONS, {**asked, "dataset": row.number}).all()
        return make_page(rows, limit, "versions", _version, at="at_version")

    def edit(
        self,
        dataset: str,
        *,
        put: Sequence[Query] = (),
        remove: Sequence[str] = (),
        description: str | None = None,
        name: str | None = None,
        revision: int | None,
        author: str,
        note: str = "",
    ) -> DatasetEntry:
        """Change queries where they stand, add new ones at the end, remove some by their keys.

        With a ``name`` the dataset is renamed, too; if that is refused nothing is changed.
        """
        rows = [encode_query(query) for query in put]

        def write(connection: "Connection", row: "Row[Any]", version: int) -> bytes:
            settings = decode_settings(row.settings)
            refuse_grades(put, settings["scale"])
            names = {key: name_of(key) for key in remove}
            remove_rows(connection, row.number, "query", names, version)
            put_rows(connection, row.number, rows, version)
            if description is None:
                return bytes(row.settings)
            called = Dataset(from_column(row.name), (), **settings)
            return encode_settings(replace(called, description=description))

        return self._change(
            dataset, "edit", write, revision=revision, author=author, note=note, name=name
        )

    def edit_grade(
        self,
        dataset: str,
        query: str,
        reference: Reference,
        grade: int | None,
        *,
        revision: int | None,
        author: str,
        note: str = "",
    ) -> DatasetEntry:
        """Give a reference another grade for a query, or a first one; None removes the judgment."""

        def write(connection: "Connection", row: "Row[Any]", version: int) -> bytes:
            old = _find_query(connection, row, query, row.version)
            new = replace(old, judgments=change_grade(old, reference, grade))
            refuse_grades([new], decode_settings(row.settings)["scale"])
            put_rows(connection, row.number, [encode_query(new)], version)
            return bytes(row.settings)

        return self._change(dataset, "edit", write, revision=revision, author=author, note=note)

    def replace(
        self, dataset: str, new: Dataset, *, revision: int | None, author: str, note: str = ""
    ) -> DatasetEntry:
        """Make all of another dataset the next version; the name stays."""
        encoded = _encode(new)

        def write(connection: "Connection", row: "Row[Any]", version: int) -> bytes:
            _write_all(connection, row.number, encoded, version)
            return encoded.settings

        return self._change(dataset, "replace", write, revision=revision, author=author, note=note)

    def restore(
        self, dataset: str, number: int, *, revision: int | None, author: str, note: str = ""
    ) -> DatasetEntry:
        """Make a new version with the content of an older one."""

        def write(connection: "Connection", row: "Row[Any]", version: int) -> bytes:
            older = find_version(connection, row, number)
            restore_rows(connection, row.number, older.at_version, new=version)
            return bytes(older.settings)

        return self._change(
            dataset,
            "restore",
            write,
            revision=revision,
            author=author,
            note=note,
            restored=number,
        )

    def rename(self, dataset: str, name: str, *, revision: int | None, author: str) -> DatasetEntry:
        """Give a dataset another name; that is no new version."""
        with self._access.writing(author) as change:
            row = DATASETS.find(change.connection, dataset, revision=revision, lock=True)
            DATASETS.rename(change, row, name)
            return _entry(DATASETS.find(change.connection, dataset))

    def delete(self, dataset: str, *, revision: int | None, author: str) -> DatasetEntry:
        """Mark a dataset as deleted, unless a mapping uses it; `undelete` brings it back."""
        with self._access.writing(author) as change:
            row = DATASETS.find(change.connection, dataset, revision=revision, lock=True)
            used = run(change.connection, _USED, {"number": row.number, "most": SHOWN}).scalars()
            DATASETS.delete(change, row, used=[f"mapping {name}" for name in used])
            return _entry(DATASETS.find(change.connection, dataset, deleted=True))

    def undelete(self, dataset: str, *, author: str) -> DatasetEntry:
        """Bring a deleted dataset back with all its versions."""
        with self._access.writing(author) as change:
            row = DATASETS.find(change.connection, dataset, deleted=True, lock=True)
            DATASETS.undelete(change, row)
            return _entry(DATASETS.find(change.connection, dataset))

    def _change(
        self,
        dataset: str,
        act: str,
        write: _Write,
        *,
        revision: int | None,
        author: str,
        note: str,
        restored: int | None = None,
        name: str | None = None,
    ) -> DatasetEntry:
        """Write the rows of a new version; where nothing would change there is none."""
        with self._access.writing(author) as change:
            connection = change.connection
            row = DATASETS.find(connection, dataset, revision=revision, lock=True)
            version = row.version + 1
            settings = write(connection, row, version)
            other = hash_settings(settings) != hash_settings(row.settings)
            changes = count_changes(connection, row.number, version, settings=other)
            if name is not None:
                DATASETS.rename(change, row, name)
            if changes == DatasetChanges() and restored is None:
                return _entry(DATASETS.find(connection, dataset))
            _write_version(
                change, row.number, version, settings, changes, note=note, restored=restored
            )
            DATASETS.update(change, row, version=version)
            before = {"version": row.version, "fingerprint": row.fingerprint}
            after = {"version": version, "changes": describe_changes(changes)}
            change.audit(f"dataset.{act}", dataset, before=before, after=after)
            return _entry(DATASETS.find(connection, dataset))


@dataclass(frozen=True, slots=True)
class _Encoded:
    """A dataset as it is stored; made before the transaction, in which others have to wait."""

    settings: bytes
    queries: list[EncodedRow]
    documents: list[EncodedRow]


def _encode(dataset: Dataset) -> _Encoded:
    refuse_grades(dataset.queries, dataset.scale)
    queries = [encode_query(query) for query in dataset.queries]
    documents = [encode_document(document) for document in dataset.documents]
    return _Encoded(encode_settings(dataset), queries, documents)


def _write_all(connection: "Connection", number: int, encoded: _Encoded, version: int) -> None:
    """Write all rows of a dataset as a version."""
    replace_rows(connection, number, "query", encoded.queries, version)
    replace_rows(connection, number, "document", encoded.documents, version)


def _write_version(
    change: Transaction,
    number: int,
    version: int,
    settings: bytes,
    changes: DatasetChanges,
    *,
    note: str,
    restored: int | None = None,
) -> None:
    about = {
        "dataset": number,
        "version": version,
        "author": change.author,
        "now": change.now,
        "note": to_column(note),
        "changes": json.dumps(describe_changes(changes)),
        "settings": settings,
        "restored": restored,
    }
    sums = sum_up_rows(change.connection, number, settings)
    run(change.connection, _NEW_VERSION, {**about, **sums})


def read_dataset(connection: "Connection", row: "Row[Any]", version: int | None) -> Dataset:
    """Read a version of the dataset in a row; without a number its current one."""
    found = find_version(connection, row, version)
    at = found.at_version
    read = Dataset(
        name=from_column(row.name),
        queries=tuple(map(decode_query, read_contents(connection, row.number, "query", at))),
        documents=tuple(
            map(decode_document, read_contents(connection, row.number, "document", at))
        ),
        **decode_settings(found.settings),
    )
    if (len(read.queries), len(read.documents)) != (found.queries, found.documents):
        raise _no_version(row.id, at)  # it was removed for good meanwhile
    return read


def find_version(connection: "Connection", row: "Row[Any]", version: int | None) -> "Row[Any]":
    """Find a version of a dataset; of its current one the row is at hand."""
    if version is None or version == row.version:
        return row
    known = isinstance(version, int) and 0 < version < row.version
    asked = {"dataset": row.number, "version": version}
    found = run(connection, _ONE_VERSION, asked).one_or_none() if known else None
    if found is None:
        raise _no_version(row.id, version)
    return found


def _find_query(connection: "Connection", row: "Row[Any]", key: str, version: int) -> Query:
    found = find_content(connection, row.number, "query", name_of(key), version)
    if found is None:
        raise _no_query(key)
    return decode_query(found)


def _no_version(dataset: str, version: object) -> NotFoundError:
    hint = "list its versions to see which ones exist"
    problem = f"unknown version {quote_value(version, 40)}"
    return NotFoundError(problem, where=f"dataset {dataset}", hint=hint)


def _no_query(key: str) -> NotFoundError:
    hint = "list the queries to see which ones exist"
    return NotFoundError(f"unknown query {quote(str(key)[:60])}", hint=hint)


def _entry(row: "Row[Any]") -> DatasetEntry:
    return DatasetEntry(
        id=row.id,
        name=from_column(row.name),
        description=decode_settings(row.settings)["description"],
        revision=row.revision,
        created=row.created,
        updated=row.updated,
        version=_version(row),
        deleted=row.deleted,
    )


def _version(row: "Row[Any]") -> DatasetVersion:
    return DatasetVersion(
        number=row.at_version,
        author=from_column(row.author),
        created=row.version_created,
        note=from_column(row.note),
        fingerprint=row.fingerprint,
        queries=row.queries,
        judgments=row.judgments,
        documents=row.documents,
        changes=read_changes(json.loads(row.changes)),
        restored=row.restored,
    )
