"""Mappings of a dataset onto a corpus: how far they are resolved, and what was chosen by hand."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.errors import NotFoundError
from assay.records.dataset import Dataset, Reference
from assay.records.resolution import Resolution
from assay.records.service import MappingEntry, Page, ReferenceChoice, UnresolvedReference
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access, Transaction
from assay.workspace.store._cursors import check_limit, make_page, read_cursor
from assay.workspace.store._entries import EntryTable, unique
from assay.workspace.store._unresolved import (
    apply_choices,
    clear_unresolved,
    count_items,
    drop_choice,
    find_choices,
    keep_choice,
    make_unresolved,
    mark_chosen,
    read_reference,
    read_unresolved,
    write_reference,
    write_unresolved,
)
from assay.workspace.store.corpora import CORPORA
from assay.workspace.store.datasets import DATASETS, find_version, read_dataset
from assay.workspace.store.texts import ANY, from_column, label, to_column

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["Mappings"]

SHOWN = 3  # benchmarks that a message names
MAPPINGS = EntryTable(
    "mapping",
    "mappings",
    """SELECT t.*, d.id AS dataset_id, c.id AS corpus_id FROM mappings t
    JOIN datasets d ON d.number = t.dataset JOIN corpora c ON c.number = t.corpus""",
    has_names=False,
)
_COUNTS = ("total", "resolved", "ambiguous", "missing")
_PENDING: dict[str, Any] = {
    "state": "pending",
    "resolved_at": None,
    "fingerprint": "",
    **dict.fromkeys(_COUNTS, 0),
}
_SAME_PAIR = """SELECT id FROM mappings WHERE dataset = :dataset AND corpus = :corpus
    AND deleted IS NULL ORDER BY number"""
_USED = """SELECT benchmark FROM mapping_uses JOIN benchmarks ON benchmarks.id = benchmark
    WHERE mapping = :mapping AND benchmarks.deleted IS NULL
    ORDER BY benchmarks.number LIMIT :most"""


class Mappings:
    """All mappings of a store; ``revision`` is the one that the caller saw, as for datasets.

    A choice by hand belongs to the dataset and the corpus: it counts for every version, and
    survives resolving again.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def create(
        self, dataset: str, corpus: str, *, version: int | None = None, author: str, id_: str = ""
    ) -> MappingEntry:
        """Map a version of a dataset onto a corpus; without a number the current one.

        Whoever may have to begin again gives it an id of its own, so that it is made once.
        """
        with self._access.writing(author) as change:
            asked = DATASETS.find(change.connection, dataset, lock=True)
            where = CORPORA.find(change.connection, corpus, lock=True)
            at = find_version(change.connection, asked, version).at_version
            about = {"dataset": asked.number, "version": at, "corpus": where.number}
            hint = "resolve the existing mapping again, or delete it"
            with unique("this dataset version is already mapped to this corpus", hint=hint):
                row = MAPPINGS.insert(change, id_=id_, **about, **_PENDING)
            after = {"dataset": dataset, "version": at, "corpus": corpus}
            change.audit("mapping.create", row.id, after=after)
            return _entry(MAPPINGS.find(change.connection, row.id))

    def get(self, mapping: str) -> MappingEntry:
        """Return what is known of a mapping."""
        with self._access.reading() as connection:
            return _entry(MAPPINGS.find(connection, mapping))

    def page(
        self,
        *,
        dataset: str = "",
        corpus: str = "",
        state: str = "",
        limit: int = 50,
        cursor: str = "",
        deleted: bool = False,
    ) -> Page[MappingEntry]:
        """List mappings, the newest first: all, or those of a dataset, a corpus or a state."""
        conditions = [("d.id", dataset), ("c.id", corpus), ("t.state", state)]
        where = " ".join(f"AND {name} = :of_{name[0]}" for name, given in conditions if given)
        values = {f"of_{name[0]}": to_column(given) for name, given in conditions if given}
        asked: dict[str, Any] = {"limit": limit, "cursor": cursor, "deleted": deleted}
        with self._access.reading() as connection:
            return MAPPINGS.page(connection, _entry, where=where, values=values, **asked)

    def read(self, mapping: str) -> Dataset:
        """Return the version of a mapping, whose references lead first to what was chosen."""
        with self._access.reading() as connection:
            row = MAPPINGS.find(connection, mapping)
            return apply_choices(_dataset(connection, row), _documents(connection, row))

    def record(
        self,
        mapping: str,
        resolution: Resolution,
        *,
        fingerprint: str,
        revision: int | None,
        author: str,
    ) -> MappingEntry:
        """Note how what `read` returns resolved in a corpus, which had this fingerprint."""
        with self._access.reading() as connection:  # a version never changes
            dataset = _dataset(connection, MAPPINGS.find(connection, mapping))
        with self._access.writing(author) as change:
            row = MAPPINGS.find(change.connection, mapping, revision=revision, lock=True)
            choices = _documents(change.connection, row)
            write_unresolved(change.connection, row.number, dataset, resolution, choices)
            about = {"fingerprint": to_column(fingerprint), "resolved_at": change.now}
            counts = _counts(change.connection, row.number, resolution.total)
            MAPPINGS.update(change, row, **about, **counts)
            change.audit("mapping.resolve", mapping, before=_summary(row), after=counts)
            return _entry(MAPPINGS.find(change.connection, mapping))

    def unresolved(
        self, mapping: str, *, limit: int = 50, cursor: str = ""
    ) -> Page[UnresolvedReference]:
        """List the references that lead nowhere, in the order of the dataset."""
        page, after = check_limit(limit), read_cursor(cursor, "unresolved", first=-1)
        with self._access.reading() as connection:
            row = MAPPINGS.find(connection, mapping)
            rows = read_unresolved(connection, row.number, after=after, page=page)
        return make_page(rows, limit, "unresolved", make_unresolved, at="place")

    def choices(self, mapping: str) -> tuple[ReferenceChoice, ...]:
        """List what was chosen by hand for the dataset and the corpus of a mapping."""
        with self._access.reading() as connection:
            return find_choices(connection, MAPPINGS.find(connection, mapping))

    def choose(
        self,
        mapping: str,
        reference: Reference,
        document: str,
        *,
        revision: int | None,
        author: str,
    ) -> MappingEntry:
        """Say which document a reference means, in every mapping of the dataset and the corpus."""
        with self._access.writing(author) as change:
            row = _locked_pair(change.connection, mapping, revision)
            name = label(document, "document", longest=ANY)
            before = keep_choice(change, row, reference, name)
            rows = mark_chosen(change.connection, row.number, reference, chosen=True)
            if not rows and before is None:
                hint = "resolve the mapping, then choose for one of its unresolved references"
                problem = f"{reference} is not an unresolved reference"
                raise NotFoundError(problem, where=f"mapping {mapping}", hint=hint)
            for each in _same_pair(change.connection, row):
                mark_chosen(change.connection, each.number, reference, chosen=True)
                _recount(change, each)
            told = {"reference": to_column(str(reference))}
            old = {} if before is None else {**told, "document": before}
            change.audit("mapping.choose", mapping, before=old, after={**told, "document": name})
            return _entry(MAPPINGS.find(change.connection, mapping))

    def unchoose(
        self, mapping: str, reference: Reference, *, revision: int | None, author: str
    ) -> MappingEntry:
        """Take a choice back; a mapping that was resolved with it is pending again."""
        with self._access.writing(author) as change:
            row = _locked_pair(change.connection, mapping, revision)
            before = drop_choice(change, row, reference)
            if before is None:
                hint = "list the choices to see which ones exist"
                raise NotFoundError(f"no document was chosen for {reference}", hint=hint)
            for each in _same_pair(change.connection, row):
                if mark_chosen(change.connection, each.number, reference, chosen=False):
                    _recount(change, each)
                elif each.state != "pending":
                    clear_unresolved(change.connection, each.number)
                    MAPPINGS.update(change, each, **_PENDING)
            old = {"reference": to_column(str(reference)), "document": before}
            change.audit("mapping.unchoose", mapping, before=old)
            return _entry(MAPPINGS.find(change.connection, mapping))

    def pin(self, mapping: str) -> dict[str, Any]:
        """Describe a mapping as it is now, so that later choices change nothing for its user.

        `read_pinned` returns its dataset at any time: a version never changes, and neither the
        dataset nor the mapping can be deleted while a benchmark of the ledger uses it.
        """
        with self._access.reading() as connection:
            row = MAPPINGS.find(connection, mapping)
            corpus = CORPORA.find(connection, row.corpus_id)
            choices = find_choices(connection, row)
            return {
                "mapping": row.id,
                "name": from_column(DATASETS.find(connection, row.dataset_id).name),
                "dataset": row.dataset_id,
                "version": row.version,
                "corpus": row.corpus_id,
                "where": json.loads(corpus.place),
                "choices": [
                    {"reference": write_reference(one.reference), "document": one.document}
                    for one in choices
                ],
            }

    def read_pinned(self, pin: Mapping[str, Any]) -> Dataset:
        """Return the dataset of a mapping as `pin` described it."""
        with self._access.reading() as connection:
            dataset = DATASETS.find(connection, pin["dataset"])
            chosen = {
                read_reference(one["reference"]): str(one["document"]) for one in pin["choices"]
            }
            return apply_choices(read_dataset(connection, dataset, pin["version"]), chosen)

    def delete(self, mapping: str, *, revision: int | None, author: str) -> MappingEntry:
        """Mark a mapping as deleted, unless a benchmark uses it; `undelete` brings it back."""
        with self._access.writing(author) as change:
            row = MAPPINGS.find(change.connection, mapping, revision=revision, lock=True)
            used = run(change.connection, _USED, {"mapping": row.number, "most": SHOWN}).scalars()
            MAPPINGS.delete(change, row, used=[f"benchmark {name}" for name in used])
            return _entry(MAPPINGS.find(change.connection, mapping, deleted=True))

    def undelete(self, mapping: str, *, author: str) -> MappingEntry:
        """Bring a deleted mapping back, if its dataset and corpus are there."""
        with self._access.writing(author) as change:
            row = MAPPINGS.find(change.connection, mapping, deleted=True)
            DATASETS.find(change.connection, row.dataset_id, lock=True)
            CORPORA.find(change.connection, row.corpus_id, lock=True)
            row = MAPPINGS.find(change.connection, mapping, deleted=True, lock=True)
            hint = "use the other mapping of the same version and corpus, or delete it first"
            with unique(f"mapping {mapping} has been replaced", hint=hint):
                MAPPINGS.undelete(change, row)
            return _entry(MAPPINGS.find(change.connection, mapping))


def _locked_pair(connection: "Connection", mapping: str, revision: int | None) -> "Row[Any]":
    """Find a mapping, and let nobody else change one of the same dataset: first it, then these."""
    DATASETS.find(connection, MAPPINGS.find(connection, mapping).dataset_id, lock=True)
    return MAPPINGS.find(connection, mapping, revision=revision, lock=True)


def _dataset(connection: "Connection", mapping: "Row[Any]") -> Dataset:
    return read_dataset(connection, DATASETS.find(connection, mapping.dataset_id), mapping.version)


def _documents(connection: "Connection", mapping: "Row[Any]") -> dict[Reference, str]:
    return {one.reference: one.document for one in find_choices(connection, mapping)}


def _same_pair(connection: "Connection", mapping: "Row[Any]") -> "list[Row[Any]]":
    """List the mappings of the same dataset and corpus: a choice counts for all of them."""
    pair = {"dataset": mapping.dataset, "corpus": mapping.corpus}
    names = run(connection, _SAME_PAIR, pair).scalars().all()
    return [MAPPINGS.find(connection, name, lock=True) for name in names]


def _recount(change: Transaction, mapping: "Row[Any]") -> None:
    if mapping.state != "pending":
        counts = _counts(change.connection, mapping.number, mapping.total)
        MAPPINGS.update(change, mapping, **counts)


def _counts(connection: "Connection", mapping: int, total: int) -> dict[str, Any]:
    """Count the items of a mapping, and say what state that is."""
    ambiguous, missing = count_items(connection, mapping)
    found = total - ambiguous - missing
    state = "resolved" if found == total else "partial" if found else "unresolved"
    counts = {"resolved": found, "ambiguous": ambiguous, "missing": missing}
    return {"state": state, "total": total, **counts}


def _summary(mapping: "Row[Any]") -> dict[str, Any]:
    return {"state": mapping.state, **{name: getattr(mapping, name) for name in _COUNTS}}


def _entry(row: "Row[Any]") -> MappingEntry:
    return MappingEntry(
        id=row.id,
        dataset=row.dataset_id,
        version=row.version,
        corpus=row.corpus_id,
        state=row.state,
        revision=row.revision,
        created=row.created,
        updated=row.updated,
        total=row.total,
        resolved=row.resolved,
        ambiguous=row.ambiguous,
        missing=row.missing,
        fingerprint=from_column(row.fingerprint),
        resolved_at=row.resolved_at,
        deleted=row.deleted,
    )
