"""A file of vectors, checked against the data that they belong to -> vectors by id."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np

from assay.errors import InputError
from assay.models.given._ids import read_ids
from assay.models.given._npy import open_npy
from assay.models.given._parquet import open_parquet
from assay.models.given._row_file import RowFile, Rows
from assay.models.given.location import VectorLocation
from assay.records import Floats
from assay.records.fingerprint import fingerprint_of
from assay.records.model import Vectors
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["VectorFile", "open_vectors"]

VERSION = 1  # raised when the same file comes to other vectors
OFF = 1e-3  # rows whose length is further from 1 are brought to it, as in an index
PER_COLLECTION = "give each collection its own vectors: "
PER_COLLECTION += "corpus: {collections: {NAME: {path: FOLDER, vectors: FILE}}}"
WHERE = {"document": "the corpus", "query": "the dataset"}


class VectorFile:
    """Vectors by the ids of documents or queries; ``noun`` says which.

    The ``fingerprint`` changes whenever a vector or an id does, or their order. ``ordered``: the
    file has no ids, and its rows are in the order of the data. ``notes`` are for a reader.
    """

    def __init__(
        self,
        rows: RowFile,
        places: Mapping[str, int],
        *,
        noun: str,
        fingerprint: str,
        ordered: bool = False,
        notes: Sequence[str] = (),
    ) -> None:
        self.name, self.dimension = rows.name, rows.dimension
        self.noun, self.fingerprint = noun, fingerprint
        self.ordered, self.notes = ordered, tuple(notes)
        self._rows, self._places = rows, places

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, id_: str) -> bool:
        return id_ in self._places

    def vectors(self, ids: Sequence[str], *, scaled: bool = True) -> Vectors:
        """Return the vector of each id, ``scaled`` to length 1 or as it is in the file."""
        rows = self._read(ids)
        return _unit(rows)[0] if scaled else rows.astype(np.float32)

    def _read(self, ids: Sequence[str]) -> Rows:
        """Read the row of each id; those that follow each other are read at once."""
        missing = [id_ for id_ in ids if id_ not in self._places]
        if missing:
            raise _missing(missing, len(ids), self.noun, where=self.name)
        places = [self._places[id_] for id_ in ids]
        if places and places == [*range(places[0], places[0] + len(places))]:
            return self._rows.read(places[0], len(places))
        found = [self._rows.read(at, 1) for at in places]
        return np.concatenate([self._rows.read(0, 0), *found])


def open_vectors(location: VectorLocation, ids: Mapping[str, bool], *, noun: str) -> VectorFile:
    """Open the vectors of documents or queries, check that they are those, and read all of them.

    ``ids`` are those of the data, in their order. Each says whether it needs a vector: a document
    without a word is left out where it has none, or only zeros.
    """
    rows, named = _read(location)
    if not rows.count:
        raise InputError("contains no vectors", where=rows.name, hint="check that it is complete")
    found = [*ids] if named is None else named
    if len(found) != rows.count:
        raise _uncounted(rows, len(found), noun, "" if named is None else str(location.ids))
    _refuse_duplicates(found, noun, where=str(location.ids or location.path))
    notes = _matched(found, ids, noun, name=rows.name)
    if named is None:
        notes.append(f"{rows.name} has no ids: its rows are in the order of {WHERE[noun]}")
    content, zero = _checked(rows, found, lengths=noun == "query")  # which systems get as they are
    lost = [at for at in zero if ids.get(found[at], True)]
    if lost:
        raise _undirected(lost, found, "only zeros", rows.name)
    left_out = {*zero}
    return VectorFile(
        rows,
        {id_: at for at, id_ in enumerate(found) if at not in left_out},
        noun=noun,
        fingerprint=fingerprint_of("vectors", VERSION, rows.dimension, _hash_ids(found), content),
        ordered=named is None,
        notes=notes,
    )


def _read(location: VectorLocation) -> tuple[RowFile, list[str] | None]:
    """Open a file, and read its ids if it has any."""
    if location.path.suffix.lower() == ".parquet":
        ids, rows = open_parquet(location.path, id=location.id, vector=location.vector)
        return rows, ids
    return open_npy(location.path), None if location.ids is None else read_ids(location.ids)


def _uncounted(rows: RowFile, ids: int, noun: str, file: str) -> InputError:
    vectors = count_noun(rows.count, "vector")
    if file:
        problem = f"{vectors}, but {count_noun(ids, 'id')} in {file}"
        hint = "write one id for each row, in the order of the rows"
        return InputError(problem, where=rows.name, hint=hint)
    problem = f"{vectors} without ids, but {count_noun(ids, noun)} in {WHERE[noun]}"
    hint = "write the ids of the rows to a file, one per line: vectors: {path: FILE, ids: FILE}"
    return InputError(problem, where=rows.name, hint=hint)


def _refuse_duplicates(ids: Sequence[str], noun: str, *, where: str) -> None:
    first: dict[str, int] = {}
    again = [(id_, at) for at, id_ in enumerate(ids) if first.setdefault(id_, at) != at]
    if again:
        id_, at = again[0]
        rows = f"rows {first[id_] + 1:,} and {at + 1:,}"
        problem = f"{count_noun(len(again), 'duplicate id')}, e.g. {quote_value(id_)} ({rows})"
        raise InputError(problem, where=where, hint=f"keep one vector per {noun}")


def _matched(found: Sequence[str], ids: Mapping[str, bool], noun: str, *, name: str) -> list[str]:
    """Refuse vectors that leave out an id which needs one; tell which belong to none."""
    known = set(found)
    missing = [id_ for id_, needed in ids.items() if needed and id_ not in known]
    if missing and known.isdisjoint(ids):
        theirs, ours = quote_value(found[0]), quote_value(missing[0])
        here = WHERE[noun]
        problem = f"none of its ids is in {here}: the file has e.g. {theirs}, {here} e.g. {ours}"
        inside = noun == "document" and any(id_.partition("/")[2] in ids for id_ in found)
        hint = PER_COLLECTION if inside else f"use the ids of {WHERE[noun]}"
        raise InputError(problem, where=name, hint=hint)
    if missing:
        raise _missing(missing, len(ids), noun, where=name)
    unknown = [id_ for id_ in found if id_ not in ids]
    if not unknown:
        return []
    verb = "belongs" if len(unknown) == 1 else "belong"
    told = f"{count_noun(len(unknown), 'vector')} of {name} {verb} to no {noun} of {WHERE[noun]}"
    return [f"{told}, e.g. {quote_value(unknown[0])}"]


def _missing(missing: Sequence[str], total: int, noun: str, *, where: str) -> InputError:
    verb = "has" if len(missing) == 1 else "have"
    many = f"{len(missing):,} of {count_noun(total, noun)} {verb} no vector"
    hint = f"add what is missing to the file, or remove it from {WHERE[noun]}"
    return InputError(f"{many}, e.g. {quote_value(missing[0])}", where=where, hint=hint)


def _checked(rows: RowFile, ids: Sequence[str], *, lengths: bool) -> tuple[str, list[int]]:
    """Read all rows once: refuse what is no number, name the content, and tell which are zero.

    The content is directions, and with ``lengths`` the length of each vector.
    """
    digest, broken, zero = sha256(), list[int](), list[int]()
    for start, block in rows.blocks():
        unit, size = _unit(block)
        broken += (start + np.flatnonzero(~np.isfinite(size))).tolist()
        zero += (start + np.flatnonzero(size == 0)).tolist()
        digest.update(np.ascontiguousarray(unit, "<f4").tobytes())
        digest.update(size.astype("<f4").tobytes() if lengths else b"")
    if broken:
        raise _undirected(broken, ids, "NaN or infinite values", rows.name)
    return digest.hexdigest(), zero


def _undirected(rows: Sequence[int], ids: Sequence[str], what: str, name: str) -> InputError:
    verb = "contains" if len(rows) == 1 else "contain"
    example = f"that of {quote_value(ids[rows[0]])} (row {rows[0] + 1:,})"
    problem = f"{len(rows):,} of {count_noun(len(ids), 'vector')} {verb} {what}, e.g. {example}"
    return InputError(problem, where=name, hint="embed these texts again, or remove them")


def _unit(rows: Rows) -> tuple[Vectors, Floats]:
    """Bring rows to length 1, and return their lengths; what is about 1 keeps its bits."""
    whole: Floats = rows.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths: Floats = np.sqrt(np.add.reduce(whole * whole, axis=1))
        unit: Vectors = rows.astype(np.float32)
    off = (np.abs(lengths - 1) > OFF) & (lengths > 0) & np.isfinite(lengths)
    unit[off] = whole[off] / lengths[off, None]
    return unit, lengths


def _hash_ids(ids: Sequence[str]) -> str:
    digest = sha256()
    for id_ in ids:
        data = id_.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8) + data)
    return digest.hexdigest()
