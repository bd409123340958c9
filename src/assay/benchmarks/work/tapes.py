"""Stage outputs as bytes and back again, bit by bit."""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

import numpy as np

from assay.errors import InputError
from assay.records import (
    Floats,
    FoundRows,
    Ints,
    Query,
    Receipt,
    RecordedAnswer,
    StructureStudy,
    Vectors,
)

__all__ = [
    "Rows",
    "by_query",
    "pack_answer",
    "pack_found",
    "pack_study",
    "pack_vector",
    "refuse_unscorable",
    "unpack_answer",
    "unpack_found",
    "unpack_study",
    "unpack_vector",
]

_HEAD = struct.Struct("<BBdiI")  # size of a row, length of the kind, best, judged, how many
_COUNT = struct.Struct("<I")
_SMALL = 2**31
_NONE = -1
# By the key of the query, in the order of the rounds.
Rows = Mapping[str, Sequence[RecordedAnswer]]


def pack_found(found: FoundRows) -> bytes:
    """Write a list of rows and scores.

    What only a fusion uses of a list (its spread, its coverage) is not recorded.
    """
    width = 4 if not len(found.rows) or int(found.rows.max()) < _SMALL else 8
    kind = found.kind.encode()
    best = np.nan if found.best is None else found.best
    judged = _NONE if found.judged is None else found.judged
    head = _HEAD.pack(width, len(kind), best, judged, len(found.rows))
    rows = found.rows.astype(f"<i{width}").tobytes()
    return head + kind + rows + found.scores.astype("<f8").tobytes()


def unpack_found(data: bytes) -> FoundRows:
    """Read a list back."""
    width, letters, best, judged, count = _HEAD.unpack_from(data)
    at = _HEAD.size
    kind = data[at : at + letters].decode()
    at += letters
    rows: Ints = np.frombuffer(data, f"<i{width}", count, at).astype(np.int64)
    scores: Floats = np.frombuffer(data, "<f8", count, at + width * count).astype(np.float64)
    return FoundRows(
        rows,
        scores,
        kind,
        None if np.isnan(best) else best,
        judged=None if judged == _NONE else judged,
    )


def pack_answer(documents: Sequence[str], scores: Floats) -> bytes:
    """Write documents, best first, and their scores."""
    names = json.dumps(list(documents), ensure_ascii=True).encode()
    return _COUNT.pack(len(names)) + names + np.asarray(scores, "<f8").tobytes()


def unpack_answer(data: bytes) -> tuple[list[str], Floats]:
    """Read an answer back."""
    (size,) = _COUNT.unpack_from(data)
    at = _COUNT.size + size
    documents: list[str] = json.loads(data[_COUNT.size : at])
    return documents, np.frombuffer(data, "<f8", offset=at).astype(np.float64)


def pack_vector(vector: Vectors) -> bytes:
    """Write the vector of a query."""
    if vector.dtype != np.float32:
        raise InputError(f"expected a float32 vector, got {vector.dtype}", where="embed")
    return vector.astype("<f4").tobytes()


def unpack_vector(data: bytes) -> Vectors:
    """Read a vector back."""
    return np.frombuffer(data, "<f4").astype(np.float32)


def pack_study(studied: StructureStudy) -> bytes:
    """Write what was studied of a query, without its items and edges."""
    return json.dumps(asdict(studied.slim()), ensure_ascii=True).encode()


def unpack_study(data: bytes) -> StructureStudy:
    """Read it back."""
    value = json.loads(data)
    orders = {method: tuple(names) for method, names in value["orders"].items()}
    receipt = Receipt(**{**value["receipt"], "items": (), "edges": ()})
    return StructureStudy(receipt, orders, value["redundancy"])


def by_query(rows: Iterable[RecordedAnswer], queries: Sequence[Query]) -> Rows:
    """Group recorded rows by the keys of some queries, in the order of the rounds."""
    names = {query.fingerprint: query.key for query in queries}
    found: dict[str, list[RecordedAnswer]] = {}
    for row in rows:
        if row.query in names:
            found.setdefault(names[row.query], []).append(row)
    return {key: sorted(some, key=lambda row: row.round) for key, some in found.items()}


def refuse_unscorable(documents: Sequence[str], scores: Floats) -> None:
    """Take no answer that cannot be scored: a document twice, or scores that rise or are none."""
    values = np.asarray(scores, np.float64)
    if len(documents) != len(values):
        raise InputError(f"{len(documents):,} documents, but {len(values):,} scores")
    if not np.isfinite(values).all() or (np.diff(values) > 0).any():
        raise InputError("scores are not in descending order, or not finite")
    if len(set(documents)) < len(documents):
        raise InputError("duplicate document in the results")
