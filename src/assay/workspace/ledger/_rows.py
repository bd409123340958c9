"""The rows of a tape: written with their unit's progress, read a page at a time."""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from assay.records.work import RecordedAnswer
from assay.text import conceal
from assay.workspace.ledger._database import Database, batches, run
from assay.workspace.ledger.faults import damaged_ledger

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["SIZE", "asked_rows", "insert_rows", "pack", "read_rows", "storable", "unpack"]

PAGE = 200  # rows that are in memory at once
ROW_BYTES = 48  # what a row takes besides its texts, about
PLAIN, PACKED = b"\0", b"\1"

SIZE = f"""coalesce(sum(coalesce(length(value), 0) + length(query) + length(times) + length(error)
    + {ROW_BYTES}), 0)"""
_TAPE = """INSERT INTO tapes (key, name, rows, bytes, created, used)
    VALUES (:key, :name, 0, 0, :now, :now)
    ON CONFLICT (key) DO UPDATE SET used = excluded.used RETURNING number"""
_KNOWN = "SELECT query, round FROM recorded WHERE tape = :tape AND query IN :queries"
_INSERT = """INSERT INTO recorded (tape, query, round, value, times, error)
    VALUES (:tape, :query, :round, :value, :times, :error) ON CONFLICT DO NOTHING"""
_GROWN = "UPDATE tapes SET rows = rows + :rows, bytes = bytes + :bytes WHERE number = :number"
_PAGE = """SELECT recorded.number, round, query, value, times, recorded.error
    FROM recorded JOIN tapes ON tapes.number = recorded.tape
    WHERE tapes.key = :key AND (round, recorded.number) > (:round, :number)
    ORDER BY round, recorded.number LIMIT :page"""
_ASKED = """SELECT query, round FROM recorded JOIN tapes ON tapes.number = recorded.tape
    WHERE tapes.key = :key"""


def insert_rows(
    connection: "Connection", tape: str, rows: Sequence[RecordedAnswer], *, name: str, now: float
) -> tuple[int, int]:
    """Insert the rows that are not on a tape, and return how many these are, and their bytes.

    The tape is made if need be. Two units over some of the same queries may record at once: the
    first row of each counts.
    """
    number = run(connection, _TAPE, {"key": tape, "name": name, "now": now}).scalar_one()
    known = _known(connection, number, rows)
    new: dict[tuple[str, int], dict[str, Any]] = {}
    for row in rows:
        key = (row.query, row.round)
        if key not in known and key not in new:
            new[key] = _written(number, row)
    count, size = len(new), sum(map(_size, new.values()))
    if new:
        run(connection, _INSERT, list(new.values()))
        run(connection, _GROWN, {"number": number, "rows": count, "bytes": size})
    return count, size


def read_rows(database: Database, key: str) -> Iterator[RecordedAnswer]:
    """Read a tape by round, in the order in which it was recorded.

    Each page is a look of its own, so that a slow reader keeps no old state alive.
    """
    at = {"round": -(2**31), "number": 0}
    while True:
        with database.reading() as connection:
            page = run(connection, _PAGE, {"key": key, "page": PAGE, **at}).all()
        for number, nth, query, value, times, error in page:
            yield _read(database.place, (query, nth, value, times, error))
            at = {"round": nth, "number": number}
        if len(page) < PAGE:
            return


def asked_rows(connection: "Connection", key: str) -> set[tuple[str, int]]:
    """Return which query was asked in which round."""
    return {(query, nth) for query, nth in run(connection, _ASKED, {"key": key})}


def pack(value: bytes) -> bytes:
    """Compress what gets shorter by it."""
    packed = zlib.compress(value, 1)
    return PACKED + packed if len(packed) < len(value) else PLAIN + value


def unpack(stored: bytes) -> bytes:
    """Return what was packed."""
    stored = bytes(stored)
    return zlib.decompress(stored[1:]) if stored[:1] == PACKED else stored[1:]


def storable(text: str) -> str:
    """Write a message so that every database takes it: no NUL, no half characters, no secret."""
    whole = conceal(text).encode("utf-8", "backslashreplace").decode("utf-8")
    return whole.replace("\0", "\\x00")


def _known(
    connection: "Connection", tape: int, rows: Sequence[RecordedAnswer]
) -> set[tuple[str, int]]:
    known: set[tuple[str, int]] = set()
    for some in batches({row.query for row in rows}):
        asked = {"tape": tape, "queries": some}
        known |= {(query, nth) for query, nth in run(connection, _KNOWN, asked, lists=["queries"])}
    return known


def _written(tape: int, row: RecordedAnswer) -> dict[str, Any]:
    return {
        "tape": tape,
        "query": row.query,
        "round": row.round,
        "value": None if row.value is None else pack(row.value),
        "times": json.dumps(dict(row.times), separators=(",", ":")),
        "error": storable(row.error),
    }


def _size(row: dict[str, Any]) -> int:
    texts = len(row["query"]) + len(row["times"]) + len(row["error"])
    return texts + len(row["value"] or b"") + ROW_BYTES


def _read(place: str, row: tuple[Any, ...]) -> RecordedAnswer:
    query, nth, value, times, error = row
    try:
        found = None if value is None else unpack(value)
        return RecordedAnswer(query, nth, found, json.loads(times), error)
    except (zlib.error, ValueError, TypeError) as reason:
        raise damaged_ledger(place, reason) from None
