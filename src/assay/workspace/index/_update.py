"""One change of an index: all of it happens, or nothing."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.records import Chunk, Document
from assay.text.quote import quote_value
from assay.workspace.disk.faults import explained, sound
from assay.workspace.index import _tables, _turns, generations
from assay.workspace.index._chunk_rows import (
    COLUMNS,
    as_bytes,
    as_chunk,
    as_metadata,
    as_row,
    as_text,
    deflate,
)

__all__ = ["PackedVectors", "Update"]

PAGE = 1000  # chunks that are read at once

PackedVectors = np.ndarray | Sequence[bytes]
"""Vectors as an engine packs them: a matrix with a row for each, or the bytes of each."""


class Update:
    """An index while it is changed; only its writer sees the changes before they are committed.

    A row is the number of a chunk: rows grow, and the number of a removed chunk never comes back.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        index: Path,
        *,
        settings: str,
        copy: Callable[[str], bool],
    ) -> None:
        self._connection = connection
        self._index = index
        self._copy = copy
        self._lexical: Path | None = None
        self._changed = False
        known = _tables.facts(connection)
        self._generation = int(known.get("generation", 0))
        self._next_row = int(known.get("next_row", 0))
        self._files = _tables.lexical_files(known)
        self._kept = known.get("settings") == settings and _tables.upgrade(connection)
        if not self._kept:
            _tables.make_tables(connection)
            _tables.keep_facts(connection, {"settings": settings})
            self._changed = True
        generations.sweep(index, keep=self._generation)

    def known(self) -> dict[str, str]:
        """Return the stamp of each document, by id."""
        with sound(self._index):
            return stamps(self._connection)

    def failures(self) -> dict[str, str]:
        """Return the stamps of files that could not be converted, with the reason, by path."""
        with sound(self._index):
            return _tables.failed_files(_tables.facts(self._connection))

    def keep_failures(self, failures: Mapping[str, str]) -> None:
        """Remember the files that could not be converted, in the place of those before."""
        if failures != self.failures():
            with explained(self._index):
                _tables.keep_facts(self._connection, {"failures": json.dumps(failures)})

    def holds(self, document: Document) -> bool:
        """Tell whether a document is here as it is, but for its stamp."""
        with sound(self._index):
            return is_held(self._connection, document)

    def totals(self) -> dict[str, int]:
        """Return the numbers of documents, chunks and fallbacks, and what `counts` was told."""
        with sound(self._index):
            return counted(self._connection)

    def put(
        self, document: Document, chunks: Sequence[Chunk], *, fallback: bool = False
    ) -> list[int]:
        """Store a new document with its chunks, and return their rows.

        ``fallback`` counts it among the documents that were meant to parse and did not.
        """
        if any(chunk.document != document.id for chunk in chunks):
            raise ValueError(f"these are not chunks of document {document.id!r}")
        rows = list(range(self._next_row, self._next_row + len(chunks)))
        with explained(self._index):
            code = self._put_document(document, len(chunks), fallback=fallback)
            pairs = list(zip(rows, chunks, strict=True))
            self._connection.executemany(
                "INSERT INTO chunks VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                [as_row(row, code, chunk, document) for row, chunk in pairs],
            )
            self._connection.executemany(
                "INSERT INTO texts VALUES (?, ?)",
                [(row, deflate(chunk.text)) for row, chunk in pairs],
            )
        self._next_row += len(chunks)
        self._changed = True
        return rows

    def _put_document(self, document: Document, chunks: int, *, fallback: bool) -> int:
        about = (document.id, document.path, document.title, document.language)
        names = [as_bytes(part) for part in about]
        rest = (document.content_hash, document.stamp, fallback, self._next_row, chunks)
        more = (as_metadata(document), document.converter)
        try:
            cursor = self._connection.execute(
                "INSERT INTO documents VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?)", (*names, *rest, *more)
            )
        except sqlite3.IntegrityError:
            problem = f"duplicate document id {quote_value(document.id)}"
            hint = "give each document its own id"
            raise InputError(problem, where=document.path, hint=hint) from None
        return int(cursor.lastrowid or 0)

    def remove(self, ids: Iterable[str]) -> list[int]:
        """Remove documents with all their chunks, and return the rows of those."""
        removed: list[int] = []
        with sound(self._index):
            for name in ids:
                removed += self._remove(as_bytes(name))
        return removed

    def _remove(self, name: bytes) -> range:
        found = self._connection.execute(
            "SELECT first_row, chunks FROM documents WHERE id = ?", (name,)
        ).fetchone()
        if found is None:
            return range(0)
        rows = range(found[0], found[0] + found[1])
        for table in ("chunks", "texts", "vectors"):
            self._connection.execute(
                f"DELETE FROM {table} WHERE row >= ? AND row < ?",  # noqa: S608
                (rows.start, rows.stop),
            )
        self._connection.execute("DELETE FROM documents WHERE id = ?", (name,))
        self._changed = True
        return rows

    def restamp(self, stamps: Mapping[str, str]) -> None:
        """Note new stamps of documents whose content is the same."""
        pairs = [(stamp, as_bytes(name)) for name, stamp in stamps.items()]
        with explained(self._index):
            self._connection.executemany("UPDATE documents SET stamp = ? WHERE id = ?", pairs)

    def vectors(self, rows: Sequence[int], packed: PackedVectors) -> None:
        """Keep the packed vector of each row; the bytes mean nothing here."""
        blobs: list[bytes] = [
            each if isinstance(each, bytes) else each.tobytes() for each in packed
        ]
        pairs = [(int(row), blob) for row, blob in zip(rows, blobs, strict=True)]
        with explained(self._index):
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", pairs)
        self._changed = self._changed or bool(pairs)

    def without_vectors(self) -> list[int]:
        """Return the rows that have no vector yet."""
        asked = "SELECT row FROM chunks WHERE row NOT IN (SELECT row FROM vectors) ORDER BY row"
        with sound(self._index):
            return [row for (row,) in self._connection.execute(asked)]

    def chunks(self, rows: Sequence[int] | None = None) -> Iterator[tuple[int, Chunk]]:
        """Yield chunks with their rows: those asked for, or all; in the order of rows."""
        with sound(self._index):
            if rows is None:
                rows = [row for (row,) in self._connection.execute("SELECT row FROM chunks")]
            ordered = sorted(int(row) for row in rows)
        for start in range(0, len(ordered), PAGE):
            yield from self._page(ordered[start : start + PAGE])

    def _page(self, rows: Sequence[int]) -> list[tuple[int, Chunk]]:
        with sound(self._index):
            found = list(read_chunks(self._connection, rows))
            if len(found) < len(rows):
                raise LookupError
            return found

    def counts(self, **numbers: int) -> None:
        """Keep named numbers with the index."""
        with explained(self._index):
            self._connection.executemany(
                "INSERT OR REPLACE INTO counts VALUES (?, ?)", numbers.items()
            )

    @property
    def has_lexical(self) -> bool:
        """Tell whether the index has files of a lexical engine, and all of them."""
        return self._lexical is not None or (
            self._kept and generations.is_whole(self._current, self._files)
        )

    @property
    def lexical(self) -> Path:
        """The folder of the coming generation, with the files of the current one in it."""
        if self._lexical is None:
            self._lexical = self._begun()
        return self._lexical

    def fresh_lexical(self) -> Path:
        """Empty the folder of the coming generation: the lexical engine starts over."""
        self._kept = False
        self._lexical = self._begun()
        return self._lexical

    @property
    def _current(self) -> Path:
        return generations.folder_of(self._index, self._generation)

    def _begun(self) -> Path:
        coming = generations.folder_of(self._index, self._generation + 1)
        nothing = self._index / "nothing"
        with explained(self._index):
            generations.begin(self._current if self._kept else nothing, coming, copy=self._copy)
        return coming

    def commit(self) -> None:
        """Make all changes, and the folder of the coming generation, the truth."""
        with explained(self._index):
            if self._changed or self._lexical is not None:
                files = self._sealed() if self.has_lexical else {}
                facts = {"generation": self._generation + 1, "next_row": self._next_row}
                _tables.keep_facts(self._connection, {**facts, "lexical": json.dumps(files)})
            _turns.leave(self._index)
            self._connection.execute("COMMIT")

    def _sealed(self) -> dict[str, int]:
        generations.seal(self.lexical)
        return generations.files_of(self.lexical)

    def abandon(self) -> None:
        """Undo everything, unless it is already committed."""
        if not self._connection.in_transaction:
            return
        if self._lexical is not None:
            generations.sweep(self._index, keep=self._generation)
        _turns.leave(self._index)
        self._connection.execute("ROLLBACK")


def stamps(connection: sqlite3.Connection) -> dict[str, str]:
    """Read the stamp of each document, by id."""
    found = connection.execute("SELECT id, stamp FROM documents")
    return {as_text(name): stamp for name, stamp in found}


def is_held(connection: sqlite3.Connection, document: Document) -> bool:
    """Tell whether an index has a document as it is, but for its stamp.

    Its chunks depend on its path, title, language and converter, too, and what filters find on its
    metadata. Without a hash nothing is known.
    """
    columns = "path, title, language, content_hash, metadata, converter"
    asked = f"SELECT {columns} FROM documents WHERE id = ?"  # noqa: S608
    about = [as_bytes(part) for part in (document.path, document.title, document.language)]
    more = (document.content_hash, as_metadata(document), document.converter)
    found = connection.execute(asked, (as_bytes(document.id),)).fetchone()
    return bool(document.content_hash) and found == (*about, *more)


def counted(connection: sqlite3.Connection) -> dict[str, int]:
    """Sum up what an index holds."""
    asked = "SELECT count(*), total(chunks), total(fallback) FROM documents"
    names = ("documents", "chunks", "fallbacks")
    sums = zip(names, connection.execute(asked).fetchone(), strict=True)
    told = dict(connection.execute("SELECT name, value FROM counts").fetchall())
    return {**told, **{name: int(value) for name, value in sums}}


def read_chunks(connection: sqlite3.Connection, rows: Sequence[int]) -> Iterator[tuple[int, Chunk]]:
    """Read chunks in the order of their rows."""
    asked = f"SELECT {COLUMNS} WHERE c.row IN (SELECT value FROM json_each(?)) ORDER BY c.row"  # noqa: S608
    found = connection.execute(asked, (json.dumps(rows),)).fetchall()
    return ((row, as_chunk(values)) for row, *values in found)
