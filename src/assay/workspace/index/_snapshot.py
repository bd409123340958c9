"""An index as it is at one moment, whatever writers do after that."""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.records import Bytes, Chunk, Document, Ints
from assay.records.filters import Filters
from assay.records.metadata import document_fields
from assay.workspace.disk import near_paths
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import sound
from assay.workspace.index import _tables, generations
from assay.workspace.index._chunk_rows import as_bytes, as_fields, as_symbols, as_text, inflate
from assay.workspace.index._field_index import FieldIndex
from assay.workspace.index._update import counted, is_held, read_chunks, stamps
from assay.workspace.recent_values import RecentValues

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

__all__ = ["DocumentEntry", "Snapshot"]

RECENT_BYTES = 64 << 20  # of texts that stay in memory
RECENT_ROWS = 8 << 20  # of filters that stay in memory, each of eight bytes


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """What an index knows of one document besides its text."""

    id: str
    path: str
    language: str
    content_hash: str
    fallback: bool
    chunks: int
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Snapshot:
    """What one committed generation of an index holds; each part is read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self._index = path.parent
        self._one_at_a_time = threading.RLock()
        self._recent: RecentValues[int, str] = RecentValues(RECENT_BYTES)
        self._matching: RecentValues[Filters, Ints] = RecentValues(RECENT_ROWS)
        self._elsewhere: TemporaryDirectory[str] | None = None
        self._connection = reading(path)
        try:
            self._connection.execute("BEGIN")
            known = _tables.facts(self._connection)  # the first read fixes what all others see
            self._files = _tables.lexical_files(known)
            self.readable = _tables.is_ours(self._connection)
        except BaseException:
            self._connection.close()
            raise
        self.generation = int(known.get("generation", 0))
        self.settings = str(known.get("settings", ""))

    @cached_property
    def lexical(self) -> Path:
        """The folder of the lexical engine's files; engines may make locks in it.

        Where nothing may be written, it is one elsewhere that leads to the files.
        """
        folder = self._files_at
        if not folder.is_dir() or generations.writable(folder):
            return folder
        from tempfile import TemporaryDirectory

        self._elsewhere = TemporaryDirectory(prefix="assay-", ignore_cleanup_errors=True)
        for file in folder.iterdir():
            if not file.name.endswith(generations.LOCK):
                Path(self._elsewhere.name, file.name).symlink_to(file.absolute())
        return Path(self._elsewhere.name)

    @property
    def _files_at(self) -> Path:
        return generations.folder_of(self._index, self.generation)

    @property
    def has_lexical(self) -> bool:
        """Tell whether the lexical engine's files are there, all in their sizes."""
        return generations.is_whole(self._files_at, self._files)

    @property
    def derived(self) -> Path:
        """The folder for what readers work out of this generation; it may be missing.

        It goes with its generation. Files in it must appear whole: several may write at once.
        """
        return generations.derived_of(self._index, self.generation)

    @cached_property
    def fingerprint(self) -> str:
        """Name the content, all that chunks depend on, in whatever order the documents came."""
        digest = sha256()
        columns = "id, path, title, language, content_hash, metadata, converter"
        with sound(self._index):
            for *names, content_hash, metadata, converter in self._all(
                f"SELECT {columns} FROM documents ORDER BY id"  # noqa: S608
            ):
                parts = [*names, as_bytes(content_hash)]
                if metadata or converter:  # others keep the names that they always had
                    parts += [metadata or b"", as_bytes(converter)]
                    digest.update(b"\xff")  # no length begins with it
                for part in parts:
                    digest.update(len(part).to_bytes(8))
                    digest.update(part)
        return digest.hexdigest()

    @property
    def rows(self) -> Ints:
        """All rows, ascending."""
        return self._layout[0]

    @property
    def document_of(self) -> Ints:
        """For each of `rows`, which of `documents` it belongs to."""
        return self._layout[1]

    @cached_property
    def _layout(self) -> tuple[Ints, Ints]:
        asked = "SELECT first_row, chunks FROM documents ORDER BY first_row, code"
        with sound(self._index):
            found = np.array(self._all(asked), dtype=np.int64).reshape(-1, 2)
            firsts, sizes = found[:, 0], found[:, 1]
            code = np.repeat(np.arange(len(found), dtype=np.int64), sizes)
        before = np.cumsum(sizes) - sizes
        return np.arange(len(code), dtype=np.int64) + (firsts - before)[code], code

    @cached_property
    def documents(self) -> list[str]:
        """The ids of all documents, in the order in which they were put."""
        asked = "SELECT id FROM documents ORDER BY first_row, code"
        with sound(self._index):
            return [as_text(name) for (name,) in self._all(asked)]

    @cached_property
    def ids(self) -> dict[str, list[str]]:
        """The ids of the documents of each name, which is an id or a path."""
        named: dict[str, list[str]] = {}
        with sound(self._index):
            for path, name in self._all("SELECT path, id FROM documents ORDER BY id"):
                named.setdefault(as_text(path), []).append(as_text(name))
        return named | {name: [name] for name in self.documents}

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many documents, chunks and fallbacks there are, and what writers counted."""
        with self._one_at_a_time, sound(self._index):
            return counted(self._connection)

    @property
    def stored(self) -> dict[str, int]:
        """How many chunks, texts and vectors are in their tables."""
        asked = "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM texts), count(*)"
        (found,) = self._all(f"{asked} FROM vectors")
        return dict(zip(("chunks", "texts", "vectors"), found, strict=True))

    def held(self) -> list[DocumentEntry]:
        """Tell of each document what is known of it, in the order in which they were put."""
        asked = "SELECT id, path, language, content_hash, fallback, chunks, metadata FROM documents"
        found = self._all(f"{asked} ORDER BY first_row, code")
        with sound(self._index):
            return [
                DocumentEntry(
                    as_text(name),
                    as_text(path),
                    as_text(spoken),
                    digest,
                    bool(fallback),
                    chunks,
                    as_fields(about),
                )
                for name, path, spoken, digest, fallback, chunks, about in found
            ]

    def metadata(self, documents: Iterable[str]) -> list[dict[str, Any]]:
        """Read the metadata and the language of documents, in the order of the ids given."""
        asked = "SELECT language, metadata FROM documents WHERE id = ?"
        with sound(self._index):
            found = [self._all(asked, as_bytes(one))[0] for one in documents]
            return [_with_language(as_text(spoken), as_fields(data)) for spoken, data in found]

    def matching(self, filters: Filters) -> Ints:
        """Return the rows of all documents that filters let through, ascending."""
        with self._one_at_a_time:
            found = self._matching.get_many([filters])
            if filters not in found:
                kept = self.fields.match(filters)
                found = {filters: self.rows[kept[self.document_of]]}
                self._matching.put_many(found)
        return found[filters]

    @cached_property
    def fields(self) -> FieldIndex:
        """What the documents can be filtered by."""
        asked = "SELECT path, title, language, metadata FROM documents ORDER BY first_row, code"
        with sound(self._index):
            return FieldIndex(
                document_fields(
                    as_fields(metadata),
                    path=as_text(path),
                    title=as_text(title),
                    language=as_text(language),
                )
                for path, title, language, metadata in self._all(asked)
            )

    def known(self) -> dict[str, str]:
        """Return the stamp of each document, by id."""
        with self._one_at_a_time, sound(self._index):
            return stamps(self._connection)

    def failures(self) -> dict[str, str]:
        """Return the stamps of files that could not be converted, with the reason, by path."""
        with self._one_at_a_time, sound(self._index):
            return _tables.failed_files(_tables.facts(self._connection))

    def holds(self, document: Document) -> bool:
        """Tell whether a document is here as it is, but for its stamp."""
        with self._one_at_a_time, sound(self._index):
            return is_held(self._connection, document)

    def chunks(self, rows: Iterable[int]) -> list[Chunk]:
        """Read chunks, in the order of the rows that are given."""
        wanted = [int(row) for row in rows]
        with self._one_at_a_time, sound(self._index):
            found = dict(read_chunks(self._connection, wanted))
            return [found[row] for row in wanted]

    def texts(self, rows: Iterable[int]) -> list[str]:
        """Read only the texts of chunks, in the order of the rows that are given."""
        wanted = [int(row) for row in rows]
        with self._one_at_a_time, sound(self._index):
            found = self._recent.get_many(wanted)
            if missing := [row for row in wanted if row not in found]:
                stored = self._stored_texts(missing)
                self._recent.put_many(stored)
                found |= stored
            return [found[row] for row in wanted]

    def _stored_texts(self, rows: list[int]) -> dict[int, str]:
        asked = "SELECT row, deflated FROM texts WHERE row IN (SELECT value FROM json_each(?))"
        return {row: inflate(data) for row, data in self._all(asked, json.dumps(rows))}

    @cached_property
    def has_symbols(self) -> bool:
        """Tell whether any chunk defines a symbol."""
        asked = "SELECT EXISTS (SELECT 1 FROM chunks WHERE symbols IS NOT NULL)"
        ((found,),) = self._all(asked)
        return bool(found)

    def symbols(self, rows: Iterable[int]) -> list[tuple[str, ...]]:
        """Read only the symbols of chunks, in the order of the rows that are given."""
        wanted = [int(row) for row in rows]
        asked = "SELECT row, symbols FROM chunks WHERE row IN (SELECT value FROM json_each(?))"
        with sound(self._index):
            found = {row: as_symbols(data) for row, data in self._all(asked, json.dumps(wanted))}
            return [found[row] for row in wanted]

    def continued(self) -> dict[int, str]:
        """Name, by row, what chunks that define nothing are a part of, as their titles say."""
        asked = "SELECT row, kind, title FROM chunks WHERE symbols IS NULL AND title IS NOT NULL"
        titles = ((row, kind, as_text(title)) for row, kind, title in self._all(asked))
        return {
            row: title.removeprefix(f"{kind} ")
            for row, kind, title in titles
            if title.startswith(f"{kind} ")
        }

    def spans(self) -> Ints:
        """Read where each chunk is: a row per chunk of first and last byte, and the lines."""
        asked = 'SELECT start, "end", first_line, last_line FROM chunks ORDER BY row'
        return np.array(self._all(asked), np.int64).reshape(-1, 4)

    def vectors(self) -> tuple[Ints, Bytes]:
        """Read all packed vectors: their rows, and a matrix of bytes with a line for each."""
        found = self._all("SELECT row, packed FROM vectors ORDER BY row")
        rows = np.fromiter((row for row, _ in found), dtype=np.int64, count=len(found))
        if not found:
            return rows, np.empty((0, 0), dtype=np.uint8)
        with sound(self._index):
            data = np.frombuffer(b"".join([packed for _, packed in found]), dtype=np.uint8)
            return rows, data.reshape(len(found), -1)

    def rows_of(self, document: str) -> list[int]:
        """Return the rows of a document, named by its id or else by its path."""
        for column, name in (("id", document), ("path", near_paths.plain(document))):
            asked = f"SELECT first_row, chunks FROM documents WHERE {column} = ? ORDER BY 1"  # noqa: S608
            found = self._all(asked, as_bytes(name))
            if found:
                return [row for first, size in found for row in range(first, first + size)]
        return []

    def find(self, document: str) -> list[str]:
        """Return the ids or paths that come nearest to a name, best first."""
        asked = "SELECT CASE path WHEN x'' THEN id ELSE path END FROM documents ORDER BY 1"
        with sound(self._index):
            return near_paths.nearest(document, [as_text(name) for (name,) in self._all(asked)])

    def close(self) -> None:
        """Let go of the index."""
        self._recent.clear()
        self._connection.close()
        if self._elsewhere is not None:
            self._elsewhere.cleanup()
            self._elsewhere = None

    def __del__(self) -> None:
        if hasattr(self, "_connection"):  # opening may have failed
            self.close()

    def _all(self, asked: str, *values: object) -> list[tuple[Any, ...]]:
        with self._one_at_a_time, sound(self._index):
            return self._connection.execute(asked, values).fetchall()


def _with_language(language: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {"language": language, **metadata} if language else metadata
