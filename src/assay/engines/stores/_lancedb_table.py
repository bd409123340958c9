"""A table of LanceDB: rows, texts and vectors in files of its own, and the indexes over them."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

from assay.engines.stores._given_vectors import Batch, GivenVectors, counted, settled
from assay.engines.stores._lancedb_arrow import arrow, gathered, safe, schema
from assay.engines.stores._lancedb_queries import graph, library, matching, nearest, spoken
from assay.errors import InputError
from assay.records import FoundRows, Track, Vectors, untracked
from assay.records.fingerprint import fingerprint_settings

__all__ = ["LancedbTable"]

LEARNED_FROM = 256  # vectors at least, for a code book of PQ and for each of its partitions


@dataclass(eq=False)
class LancedbTable:
    """A store as ``assay.records.Store`` asks; ``settings`` are those that were given."""

    path: Path | None
    index: str
    settings: Mapping[str, int]
    language: str | None
    _folder: Path | None = None
    _made: Path | None = None
    _table: Any = None
    _kept: GivenVectors = field(default_factory=lambda: GivenVectors(0))
    _indexed: bool = False
    _size: int = 0

    def open(self) -> None:
        """Start nothing: it is a library."""

    @property
    def fingerprint(self) -> str:
        """Name the settings that decide what is found, and the version of LanceDB."""
        settings = {"language": self.language, **self.settings}
        return fingerprint_settings(
            kind="lancedb", version=_version(), index=self.index, **settings
        )

    @property
    def approximate(self) -> bool:
        """Whether dense search may miss some: not where all vectors are compared."""
        return self.index != "exact" and (self._indexed or self._table is None)

    @property
    def notes(self) -> Sequence[str]:
        """Say what searches, and where it is not what was asked for."""
        settings = "".join(f", {name} {value}" for name, value in self.settings.items())
        words = f"; lexical: LanceDB BM25 ({self.language})" if self.language else ""
        notes = [f"LanceDB {_version()}, index {self.index}{settings}{words}"]
        if self._table is None or self.index == "exact":
            return notes
        few = len(self._kept.stored)
        if not self._indexed:
            why = f"fewer than the {LEARNED_FROM} that an index requires"
            notes.append(f"{few:,} vectors, {why}: exact search is used")
            return notes
        notes.append("index training starts at random: results may differ between runs")
        if self.index.endswith("_pq") and few < LEARNED_FROM * self.settings.get("partitions", 1):
            notes.append(f"{few:,} vectors are too few for the partitions: LanceDB builds fewer")
        return notes

    def fill(
        self,
        chunks: Iterable[Batch],
        *,
        dimension: int,
        total: int,
        track: Track = untracked,
    ) -> None:
        """Write all batches into a new table, then build the indexes."""
        self.close()
        self._kept = GivenVectors(dimension)
        try:
            with spoken():
                self._create(dimension)
            for batch in gathered(counted(chunks, "filling LanceDB", total, track)):
                added = arrow(batch, self._kept.add(batch), dimension)
                with spoken():
                    self._table.add(added)
            for build in track([self._build], "building LanceDB indexes"):
                build()
            self._size = self._bytes()
        except BaseException:
            self.close()
            raise

    def dense(self, vector: Vectors, depth: int) -> FoundRows:
        """Return the rows nearest to a vector, with exact cosines."""
        near = partial(nearest, self._open(), settings=self.settings if self._indexed else None)
        return self._kept.dense(vector, depth, near, approximate=self.approximate)

    def lexical(self, text: str, depth: int) -> FoundRows:
        """Return the rows that hold words of a text, by LanceDB's BM25."""
        table = self._open()
        if self.language is None:
            hint = "remove words: false, or use search: dense"
            raise InputError(
                "the table has no lexical index (words: false)", where="lancedb", hint=hint
            )
        ask = partial(matching, table, safe(text))
        return settled(ask, depth, most=self._kept.rows, kind="bm25")

    def size_bytes(self) -> int:
        """Count the bytes of the table's files: vectors, texts, indexes."""
        return self._size

    def close(self) -> None:
        """Remove the table's files, and a folder that was only made for them."""
        self._table, self._indexed, self._size = None, False, 0
        self._kept = GivenVectors(0)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._made is not None and self._made.is_dir() and not any(self._made.iterdir()):
            self._made.rmdir()
        self._folder = self._made = None

    def _bytes(self) -> int:
        files = () if self._folder is None else self._folder.rglob("*")
        return sum(one.stat().st_size for one in files if one.is_file())

    def _open(self) -> Any:  # noqa: ANN401
        if self._table is None:
            raise InputError("the store is empty", where="lancedb", hint="fill it first")
        return self._table

    def _create(self, dimension: int) -> None:
        if self.path is None:
            self._folder = Path(tempfile.mkdtemp(prefix="assay_"))
        else:
            self._made = None if self.path.exists() else self.path
            self._folder = self.path / f"assay_{uuid4().hex}"
            self._folder.mkdir(parents=True)
        database = library().connect(self._folder)
        self._table = database.create_table("chunks", schema=schema(dimension))

    def _build(self) -> None:
        from lancedb.index import FTS

        if not self._kept.rows:
            return
        with spoken():
            # Many small files become few, and what they replace is removed at once. Not after the
            # indexes are built: LanceDB would join partitions that it finds too small.
            self._table.optimize(cleanup_older_than=timedelta(milliseconds=1))
            if self.language is not None:
                self._table.create_index("text", config=FTS(language=self.language))
            if self.index != "exact" and len(self._kept.stored) >= LEARNED_FROM:
                self._table.create_index("vector", config=graph(self.index, self.settings))
                self._indexed = True


def _version() -> str:
    return version("lancedb")
