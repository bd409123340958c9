"""What a version of a dataset changed, from the rows that it closed and the rows that it added."""

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from assay.records.dataset import Judgment, Query
from assay.records.service import ChangeCounts, DatasetChanges
from assay.workspace.ledger.open_database import run
from assay.workspace.store.versions.codec import decode_query
from assay.workspace.store.versions.rows import AT

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["count_changes", "describe_changes", "read_changes"]

KINDS = ("query", "document")
_CLOSED = """SELECT number, name, hash, judgments FROM dataset_rows
    WHERE dataset = :dataset AND kind = :kind AND until = :version"""
_ADDED = """SELECT number, name, hash, judgments FROM dataset_rows
    WHERE dataset = :dataset AND kind = :kind AND since = :version"""
_CONTENT = "SELECT content FROM dataset_rows WHERE number = :number"
_NAMES = f"SELECT name FROM dataset_rows WHERE {AT} AND kind = :kind ORDER BY place"  # noqa: S608

_Rows = dict[bytes, "Row[Any]"]


def count_changes(
    connection: "Connection", dataset: int, version: int, *, settings: bool
) -> DatasetChanges:
    """Compare a version, of which all rows are written, with the one before it."""
    closed = {kind: _rows(connection, _CLOSED, dataset, kind, version) for kind in KINDS}
    added = {kind: _rows(connection, _ADDED, dataset, kind, version) for kind in KINDS}
    counts = {kind: _counts(closed[kind], added[kind]) for kind in KINDS}
    again = [kind for kind in KINDS if closed[kind].keys() & added[kind].keys()]
    return DatasetChanges(
        queries=counts["query"],
        judgments=_judgments(connection, closed["query"], added["query"]),
        documents=counts["document"],
        settings=settings,
        reordered=any(_is_reordered(connection, dataset, kind, version) for kind in again),
    )


def describe_changes(changes: DatasetChanges) -> dict[str, Any]:
    """Write what changed as JSON holds it, without what did not."""
    return {name: part for name, part in asdict(changes).items() if part and _is_some(part)}


def read_changes(value: dict[str, Any]) -> DatasetChanges:
    """Read what changed."""
    parts: dict[str, Any] = {
        name: ChangeCounts(**part) if isinstance(part, dict) else part
        for name, part in value.items()
    }
    return DatasetChanges(**parts)


def _is_some(part: object) -> bool:
    return any(part.values()) if isinstance(part, dict) else bool(part)


def _rows(connection: "Connection", statement: str, dataset: int, kind: str, version: int) -> _Rows:
    asked = {"dataset": dataset, "kind": kind, "version": version}
    return {bytes(row.name): row for row in run(connection, statement, asked)}


def _counts(closed: _Rows, added: _Rows) -> ChangeCounts:
    changed = [name for name in closed.keys() & added.keys() if _differ(closed[name], added[name])]
    return ChangeCounts(
        added=len(added.keys() - closed.keys()),
        removed=len(closed.keys() - added.keys()),
        changed=len(changed),
    )


def _judgments(connection: "Connection", closed: _Rows, added: _Rows) -> ChangeCounts:
    """Count judgments by their references: one of a reference that stays has changed."""
    more = sum(added[name].judgments for name in added.keys() - closed.keys())
    less = sum(closed[name].judgments for name in closed.keys() - added.keys())
    changed = 0
    for name in closed.keys() & added.keys():
        if not _differ(closed[name], added[name]):
            continue
        old, new = (_query(connection, rows[name].number) for rows in (closed, added))
        found = _compare(old.judgments, new.judgments)
        more, less, changed = more + found.added, less + found.removed, changed + found.changed
    return ChangeCounts(more, less, changed)


def _compare(old: tuple[Judgment, ...], new: tuple[Judgment, ...]) -> ChangeCounts:
    same = Counter(old) & Counter(new)
    gone, come = (Counter(one.reference for one in some) for some in (old, new))
    both = (gone & come).total()
    return ChangeCounts(
        added=come.total() - both, removed=gone.total() - both, changed=both - same.total()
    )


def _is_reordered(connection: "Connection", dataset: int, kind: str, version: int) -> bool:
    """Return whether the rows that both versions have are in another order."""
    orders = []
    for number in (version - 1, version):
        asked = {"dataset": dataset, "kind": kind, "version": number}
        orders.append([bytes(name) for name in run(connection, _NAMES, asked).scalars()])
    both = set(orders[0]) & set(orders[1])
    old, new = ([name for name in order if name in both] for order in orders)
    return old != new


def _differ(old: "Row[Any]", new: "Row[Any]") -> bool:
    return bytes(old.hash) != bytes(new.hash)


def _query(connection: "Connection", number: int) -> Query:
    return decode_query(bytes(run(connection, _CONTENT, {"number": number}).scalar_one()))
