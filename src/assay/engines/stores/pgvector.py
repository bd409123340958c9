"""PostgreSQL with pgvector: exact or HNSW vector search, and PostgreSQL full-text search."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from secrets import token_hex
from threading import RLock

from assay.engines.stores._given_vectors import Batch, GivenVectors
from assay.engines.stores._postgres_address import address, check_installed
from assay.engines.stores._postgres_fill import HELD, FillCounts, drop, fill, rows_of, size_bytes
from assay.engines.stores._postgres_search import LENGTH, lexical, nearest
from assay.engines.stores._postgres_server import PrivateServer, check_private
from assay.engines.stores._postgres_session import PostgresSession
from assay.engines.stores._postgres_settings import PostgresSettings, checked
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints, Store, Track, Vectors, untracked
from assay.records.fingerprint import fingerprint_settings
from assay.text.count_noun import count_noun

__all__ = ["pgvector"]

WIDEST = HELD
FOR_WORDS = ("language",)
FOR_VECTORS = ("index", "m", "ef_construction", "ef_search")


def pgvector(
    *,
    url: str | None = None,
    index: str = "exact",
    m: int = 16,
    ef_construction: int = 64,
    ef_search: int = 40,
    language: str = "english",
    words: bool = True,
    folder: Path | None = None,
) -> Store:
    """Fill a table in PostgreSQL and search it; the table is dropped when the store is closed.

    ``url`` may refer to an environment variable: ``${DATABASE_URL}``. Without ``url``, a local
    PostgreSQL server runs in ``folder`` while the store is open. ``index`` exact compares all
    vectors; hnsw builds a graph with ``m`` links per vector, where ``ef_construction`` and
    ``ef_search`` are the sizes of the candidate lists while building and searching (at least the
    depth). Full-text search uses the text search configuration ``language``; with ``words`` false,
    no text is indexed.
    """
    settings = checked(PostgresSettings(index, m, ef_construction, ef_search, language, words))
    check_installed()
    if url is None:
        check_private()
    session = None if url is None else PostgresSession(address(url), settings)
    if session is not None:
        session.check()
    return _Pgvector(settings, session, folder)


class _Pgvector:
    def __init__(
        self, settings: PostgresSettings, session: PostgresSession | None, folder: Path | None
    ) -> None:
        self._settings, self._session, self._folder = settings, session, folder
        self._lock = RLock()
        self._server: PrivateServer | None = None
        self._schema = ""
        self._versions: tuple[str, str] | None = None
        self._filled: FillCounts | None = None
        self._size = 0
        self._kept = GivenVectors(0)

    def open(self) -> None:
        with self._connected().ready() as opened:
            self._versions = opened.postgres, opened.pgvector

    @property
    def fingerprint(self) -> str:
        settings = self._settings
        return fingerprint_settings(
            kind="pgvector",
            versions=self._known_versions(),
            index=settings.index,
            settings=settings.numbers,
            language=settings.language if settings.words else None,
            words=("ts_rank", LENGTH) if settings.words else None,
        )

    @property
    def notes(self) -> Sequence[str]:
        postgres, version = self._known_versions()
        filled, settings = self._filled or FillCounts(0), self._settings
        told = f"PostgreSQL {postgres}, pgvector {version}"
        if self._filled is None or filled.dimension:
            numbers = ", ".join(f"{name} {value}" for name, value in settings.numbers.items())
            graph = f"hnsw ({numbers}, at least the depth)" if numbers else "exact"
            told += f", index {graph}"
        if settings.words:
            told += f"; lexical: ts_rank (normalization {LENGTH}, {settings.language})"
        found = [told]
        if filled.without_direction:
            count = count_noun(filled.without_direction, "chunk")
            effect = "found by lexical search only" if settings.words else "never found"
            found.append(f"{count} without a vector: {effect}")
        if filled.shortened:
            count = count_noun(filled.shortened, "chunk")
            found.append(f"{count} too long for a tsvector: the end is not indexed")
        return tuple(found)

    @property
    def approximate(self) -> bool:
        return self._settings.approximate

    def fill(
        self,
        chunks: Iterable[Batch],
        *,
        dimension: int,
        total: int,
        track: Track = untracked,
    ) -> None:
        self._remove()
        schema, filled, kept = (
            f"assay_{token_hex(8)}",
            FillCounts(dimension),
            GivenVectors(dimension),
        )
        taken = rows_of(_kept_too(chunks, kept), filled)
        rows = track(taken, "filling PostgreSQL", total=total, unit="chunks")
        self.open()
        with self._connected().ready() as opened:
            fill(opened, schema, rows, filled, self._settings)
            self._schema, self._filled, self._kept = schema, filled, kept
            self._size = size_bytes(opened, schema)  # now: later the server may be gone
        _ = kept.stored  # put in order before the first search

    def dense(self, vector: Vectors, depth: int) -> FoundRows:
        session = self._table()

        def near(unit: Floats, asked: int) -> tuple[Ints, Floats]:
            with session.ready(left=self._left()) as opened:
                return nearest(opened, self._schema, unit, asked, self._settings)

        return self._kept.dense(vector, depth, near, approximate=self.approximate)

    def lexical(self, text: str, depth: int) -> FoundRows:
        session = self._table()
        if not self._settings.words:
            hint = "remove words: false, or use search: dense"
            raise InputError(
                "the table has no lexical index (words: false)", where="pgvector", hint=hint
            )
        with session.ready(left=self._left()) as opened:
            return lexical(opened, self._schema, text, depth)

    def size_bytes(self) -> int:
        self._table()
        return self._size

    def close(self) -> None:
        try:
            self._remove()
        finally:
            server, self._server = self._server, None
            if self._session is not None:
                self._session.close()
            if server is not None:
                self._session = None
                server.close()

    def _remove(self) -> None:
        """Drop the table, or say what stays."""
        schema, self._schema, self._filled = self._schema, "", None
        if not schema or self._session is None or self._server is not None:
            return
        known = self._session.lost  # if not, it was cut meanwhile, perhaps: it is opened again
        failed = _failure(self._session, schema)
        if failed is not None and not known:
            failed = _failure(self._session, schema)
        if failed is not None:
            raise InputError(
                f"could not drop the schema {schema}: {failed.problem}",
                where=failed.where,
                hint=f"run later: DROP SCHEMA IF EXISTS {schema} CASCADE",
            ) from failed

    def _connected(self) -> PostgresSession:
        with self._lock:
            if self._session is None:
                self._server = PrivateServer(self._folder)
                self._session = PostgresSession(self._server.address, self._settings)
            return self._session

    def _table(self) -> PostgresSession:
        if self._session is None or self._filled is None:
            raise InputError("the store is empty", where="pgvector", hint="fill it first")
        return self._session

    def _left(self) -> str:
        """Name what a lost connection leaves behind."""
        return self._schema if self._server is None else ""

    def _known_versions(self) -> tuple[str, str]:
        """Ask once: a server that is gone later changes nothing of what was searched."""
        if self._versions is None:
            self.open()
        return self._versions or ("", "")


def _kept_too(chunks: Iterable[Batch], kept: GivenVectors) -> Iterator[Batch]:
    """Keep the vectors beside the table: what it finds is scored with them."""
    for batch in chunks:
        kept.add(batch)
        yield batch


def _failure(session: PostgresSession, schema: str) -> InputError | None:
    """Drop a schema, or return what was in the way."""
    try:
        with session.ready() as opened:
            drop(opened, schema)
    except InputError as error:
        return error
    return None
