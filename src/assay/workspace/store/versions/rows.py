"""Rows of a dataset: each belongs to the versions from ``since`` on, and to none from ``until`` on.

A change closes the rows that it replaces and adds new ones; all others stay as they are. So a
changed grade costs one row, and every version can be read as it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.text.count_noun import plural
from assay.workspace.ledger.open_database import run
from assay.workspace.store.bulk import insert_many
from assay.workspace.store.versions.codec import EncodedRow, hash_settings
from assay.workspace.store.versions.placement import STEP, place_rows

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = [
    "FOREVER",
    "find_content",
    "list_content",
    "put_rows",
    "read_contents",
    "read_page",
    "remove_rows",
    "replace_rows",
    "restore_rows",
    "sum_up_rows",
]

FOREVER = 2**31 - 1  # the end of what is still there
COLUMNS = (
    *("dataset", "kind", "name", "place", "since", "until"),
    *("hash", "judgments", "content"),
)
AT = "dataset = :dataset AND since <= :version AND until > :version"

_CURRENT = f"""SELECT number, kind, name, place, hash FROM dataset_rows
    WHERE dataset = :dataset AND kind = :kind AND until = {FOREVER}"""  # noqa: S608
_CLOSE = "UPDATE dataset_rows SET until = :version WHERE number = :number"
_ONE = f"""SELECT number, place, hash, content FROM dataset_rows
    WHERE dataset = :dataset AND kind = :kind AND name = :name AND until = {FOREVER}"""  # noqa: S608
_LAST = f"""SELECT max(place) FROM dataset_rows
    WHERE dataset = :dataset AND kind = :kind AND until = {FOREVER}"""  # noqa: S608
_CONTENTS = f"""SELECT content FROM dataset_rows WHERE {AT} AND kind = :kind
    ORDER BY place"""  # noqa: S608
_PAGE = f"""SELECT place, content FROM dataset_rows WHERE {AT} AND kind = :kind
    AND place > :after ORDER BY place LIMIT :page"""  # noqa: S608
_ALL_OF_ONE = """SELECT since, until, content FROM dataset_rows
    WHERE dataset = :dataset AND kind = :kind AND name = :name ORDER BY since DESC"""
_OF_ONE = f"SELECT content FROM dataset_rows WHERE {AT} AND kind = :kind AND name = :name"  # noqa: S608
_SUMS = f"""SELECT kind, hash, judgments FROM dataset_rows
    WHERE dataset = :dataset AND kind IN ('document', 'query') AND until = {FOREVER}
    ORDER BY kind, place"""  # noqa: S608
# Rows that are there now but were not then, and rows that were there then but are not now.
_CLOSE_LATER = f"""UPDATE dataset_rows SET until = :new
    WHERE dataset = :dataset AND until = {FOREVER} AND since > :version"""  # noqa: S608
_COPY_EARLIER = f"""INSERT INTO dataset_rows ({", ".join(COLUMNS)})
    SELECT dataset, kind, name, place, :new, {FOREVER}, hash, judgments, content
    FROM dataset_rows WHERE {AT} AND until < :new"""  # noqa: S608


def replace_rows(
    connection: "Connection", dataset: int, kind: str, rows: Sequence[EncodedRow], version: int
) -> None:
    """Make these rows, in this order, all that a version has of a kind."""
    about = {"dataset": dataset, "kind": kind}
    current = {bytes(row.name): row for row in run(connection, _CURRENT, about)}
    refuse_twice(rows)
    wishes = [_place_of(current.get(row.name), row) for row in rows]
    placed = list(zip(rows, place_rows(wishes), wishes, strict=True))
    kept = {row.name for row, place, wish in placed if place == wish}
    _close(connection, [row.number for name, row in current.items() if name not in kept], version)
    new = [(row, place) for row, place, _ in placed if row.name not in kept]
    _insert(connection, dataset, new, version)


def put_rows(
    connection: "Connection", dataset: int, rows: Sequence[EncodedRow], version: int
) -> None:
    """Change rows where they stand, and add those that are not there at the end of their kind."""
    refuse_twice(rows)
    new: list[tuple[EncodedRow, int]] = []
    ended: list[int] = []  # closed in the end: until then they say where the last row is
    ends: dict[str, int] = {}
    for row in rows:
        about = {"dataset": dataset, "kind": row.kind}
        old = run(connection, _ONE, {**about, "name": row.name}).one_or_none()
        if old is None:
            last = ends.get(row.kind) or run(connection, _LAST, about).scalar() or 0
            ends[row.kind] = last + STEP
        elif bytes(old.hash) == row.hash:
            continue
        new.append((row, ends[row.kind] if old is None else old.place))
        ended += [] if old is None else [old.number]
    _close(connection, ended, version)
    _insert(connection, dataset, new, version)


def remove_rows(
    connection: "Connection", dataset: int, kind: str, names: Mapping[str, bytes], version: int
) -> None:
    """Take rows out of a version; ``names`` has them by the key that a message shows."""
    for key, name in names.items():
        asked = {"dataset": dataset, "kind": kind, "name": name}
        old = run(connection, _ONE, asked).one_or_none()
        if old is None:
            problem = "cannot be removed: it is not in the current version"
            hint = f"list the {plural(2, kind)} to see which ones exist"
            raise InputError(problem, where=f'{kind} "{key}"', hint=hint)
        _close(connection, [old.number], version)


def restore_rows(connection: "Connection", dataset: int, version: int, *, new: int) -> None:
    """Give a new version the rows of an older one; those that both have stay as they are."""
    about = {"dataset": dataset, "version": version, "new": new}
    run(connection, _CLOSE_LATER, about)
    run(connection, _COPY_EARLIER, about)


def read_contents(
    connection: "Connection", dataset: int, kind: str, version: int
) -> Iterator[bytes]:
    """Read all rows of a kind that a version has, in their order."""
    about = {"dataset": dataset, "kind": kind, "version": version}
    return (bytes(content) for content in run(connection, _CONTENTS, about).scalars())


def read_page(
    connection: "Connection", dataset: int, kind: str, version: int, *, after: int, page: int
) -> "Sequence[Row[Any]]":
    """Read some rows of a version behind a place: (place, content)."""
    about = {"dataset": dataset, "kind": kind, "version": version, "after": after, "page": page}
    return run(connection, _PAGE, about).all()


def list_content(
    connection: "Connection", dataset: int, kind: str, name: bytes
) -> "Sequence[Row[Any]]":
    """Read all that one row ever was, the newest first: (since, until, content)."""
    about = {"dataset": dataset, "kind": kind, "name": name}
    return run(connection, _ALL_OF_ONE, about).all()


def find_content(
    connection: "Connection", dataset: int, kind: str, name: bytes, version: int
) -> bytes | None:
    """Read one row of a version, if it has it."""
    about = {"dataset": dataset, "kind": kind, "name": name, "version": version}
    found = run(connection, _OF_ONE, about).scalar()
    return None if found is None else bytes(found)


def sum_up_rows(connection: "Connection", dataset: int, settings: bytes) -> dict[str, Any]:
    """Count what the newest version has, and name its content and order."""
    digest, counts = sha256(hash_settings(settings)), {"query": 0, "document": 0}
    judgments = 0
    for kind, name, judged in run(connection, _SUMS, {"dataset": dataset}):
        digest.update(kind.encode() + bytes(name))
        counts[kind] += 1
        judgments += judged
    sums = {"queries": counts["query"], "documents": counts["document"], "judgments": judgments}
    return {"fingerprint": digest.hexdigest(), **sums}


def refuse_twice(rows: Sequence[EncodedRow]) -> None:
    """Refuse keys that several rows have: one of them would be lost."""
    seen: set[bytes] = set()
    for row in rows:
        if row.name in seen:
            hint = f"give each {row.kind} its own key"
            raise InputError(f'duplicate key "{row.key}"', where=row.kind, hint=hint)
        seen.add(row.name)


def _place_of(old: "Row[Any] | None", row: EncodedRow) -> int | None:
    return old.place if old is not None and bytes(old.hash) == row.hash else None


def _close(connection: "Connection", numbers: Sequence[int], version: int) -> None:
    if numbers:
        run(connection, _CLOSE, [{"number": number, "version": version} for number in numbers])


def _insert(
    connection: "Connection", dataset: int, rows: Sequence[tuple[EncodedRow, int]], version: int
) -> None:
    values = (
        (dataset, row.kind, row.name, place, version, FOREVER, row.hash, row.judgments, row.content)
        for row, place in rows
    )
    insert_many(connection, "dataset_rows", COLUMNS, values)
