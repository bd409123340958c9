"""The postings in a folder: one file that is never changed, and one writer who makes the next."""

import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np

from assay.engines.lexical._array_file import Array, read_arrays, write_arrays
from assay.engines.lexical._fields import FIELDS
from assay.engines.lexical._postings import FieldPostings, PendingField, merged
from assay.engines.lexical._write_failure import write_failure, writing
from assay.errors import InputError
from assay.records import Ints

__all__ = ["PostingsFiles"]

NAME = re.compile(r"postings-(\d{6,})\.bin")
LOCK = "writer.lock"


class PostingsFiles:
    """What is committed: the ``rows``, ascending, and the postings of each field.

    What is added and removed is seen after `commit`, which writes all of it again: the statistics
    are then those of the chunks that are there. Who reads an older file keeps it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock: _WriterLock | None = None
        self._read()

    def add(self, row: int, texts: Mapping[str, str]) -> None:
        """Take the tokens of each field of a chunk, joined by spaces."""
        self._write()
        self._places[row] = self._pending_number
        self._pending_number += 1
        for field, pending in self._pending.items():
            pending.add(texts.get(field, ""))

    def remove(self, rows: Iterable[int]) -> None:
        """Forget rows: of what is committed, and of what is not yet."""
        self._write()
        for row in map(int, rows):
            self._removed.add(row)
            self._places.pop(row, None)

    def commit(self) -> None:
        """Write the next file, and read it."""
        if self._lock is None:
            return
        number = self._number + 1
        with writing(self._folder):
            write_arrays(self._folder / f"postings-{number:06}.bin", self._merged())
        self._read()
        for number, path in _files(self._folder):
            if number < self._number:
                with suppress(OSError):  # where an open file cannot be removed, a later writer does
                    path.unlink()
        self.close()

    def close(self) -> None:
        """Drop what is not committed."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _write(self) -> None:
        """Become the one writer, of what is committed by now."""
        if self._lock is not None:
            return
        with ExitStack() as stack:
            lock = _WriterLock(self._folder)
            stack.callback(lock.release)
            self._read()
            stack.pop_all()
        self._lock = lock
        self._pending = {field: PendingField() for field in FIELDS}
        self._places: dict[int, int] = {}
        self._pending_number = 0
        self._removed: set[int] = set()

    def _read(self) -> None:
        files = _files(self._folder)
        self._number, path = files[-1] if files else (0, None)
        try:
            arrays = _empty() if path is None else read_arrays(path)
            self.rows: Ints = arrays["rows"]
            self.fields = {field: FieldPostings(arrays, field) for field in FIELDS}
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            hint = "delete the folder and build the index again"
            problem = f"the postings cannot be read ({error})"
            raise InputError(problem, where=str(path), hint=hint) from error

    def _merged(self) -> dict[str, Array]:
        kept = ~np.isin(self.rows, np.fromiter(self._removed, np.int64))
        added = np.fromiter(self._places, np.int64)
        rows = np.sort(np.concatenate([self.rows[kept], added]))
        old = np.where(kept, np.searchsorted(rows, self.rows), -1)
        new = np.full(self._pending_number, -1)
        new[np.fromiter(self._places.values(), np.int64)] = np.searchsorted(rows, added)
        arrays: dict[str, Array] = {"rows": rows}
        for field, pending in self._pending.items():
            made = _field(self.fields[field], old, pending, new, len(rows))
            arrays |= {f"{field}.{part}": one for part, one in made.items()}
        return arrays


class _WriterLock:
    """The right to write, from the moment it is made to the end of its process at the latest.

    SQLite knows how to lock a file on every system.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._held = _locked(folder / LOCK)
        except (OSError, sqlite3.Error) as error:
            if "locked" not in str(error):
                raise write_failure(folder, error) from error
            problem, hint = "another process is writing to this index", "wait, then try again"
            raise InputError(problem, where=str(folder), hint=hint) from error

    def release(self) -> None:
        """Let others write; the file stays, since somebody may be about to lock it."""
        self._held.close()


def _locked(file: Path) -> sqlite3.Connection:
    with suppress(FileNotFoundError):
        if file.stat().st_nlink > 1:
            file.unlink()  # linked from another folder, whose writer is not ours
    with ExitStack() as stack:
        held = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
        stack.callback(held.close)
        held.execute("BEGIN EXCLUSIVE")
        stack.pop_all()
        return held


def _field(
    written: FieldPostings, old: Ints, pending: PendingField, new: Ints, number: int
) -> dict[str, Array]:
    """Merge what is written of a field and what is pending, whose chunks get other places."""
    lengths = np.zeros(number, np.int64)
    for places, own in ((old, written.lengths), (new, pending.lengths)):
        lengths[places[places >= 0]] = own[places >= 0]
    parts = [
        (written.terms(), written.triples().moved(old)),
        (pending.terms(), pending.triples().moved(new)),
    ]
    return merged(parts, lengths)


def _files(folder: Path) -> list[tuple[int, Path]]:
    found = ((NAME.fullmatch(path.name), path) for path in folder.iterdir())
    return sorted((int(name[1]), path) for name, path in found if name)


def _empty() -> dict[str, Array]:
    nothing = merged([], np.empty(0, np.int64))
    parts = {f"{field}.{part}": one for field in FIELDS for part, one in nothing.items()}
    return {"rows": np.empty(0, np.int64), **parts}
