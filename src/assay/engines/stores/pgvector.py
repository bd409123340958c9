"""PostgreSQL with pgvector: a table of vectors and words, searched exactly or by HNSW."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from secrets import token_hex
from threading import RLock

from assay.engines._identity import identity
from assay.engines.stores._kept import Batch, Kept
from assay.engines.stores._postgres_address import address, check_installed
from assay.engines.stores._postgres_fill import Filled, drop, fill, rows_of, size_bytes
from assay.engines.stores._postgres_search import LENGTH, lexical, nearest
from assay.engines.stores._postgres_server import PrivateServer
from assay.engines.stores._postgres_session import Session
from assay.engines.stores._postgres_settings import Settings, checked
from assay.errors import InputError
from assay.records import Floats, Found, Ints, Store, Track, Vectors, untracked

__all__ = ["pgvector"]


def pgvector(
    *,
    url: str | None = None,
    index: str = "exact",
    m: int = 16,
    ef_construction: int = 64,
    ef_search: int = 40,
    language: str = "english",
    folder: Path | None = None,
) -> Store:
    """Fill a table in a PostgreSQL, which then searches; it is removed in the end.

    ``url`` may name the environment: ``${DATABASE_URL}``. Without one a PostgreSQL is started in
    ``folder`` for as long as the store is open. ``index`` exact compares with every vector, and
    hnsw links each with ``m`` neighbours; ``ef_construction`` and ``ef_search`` candidates are kept
    in view while building and while searching (never fewer than asked for). Words are found as the
    text search configuration ``language`` has them.
    """
    settings = checked(Settings(index, m, ef_construction, ef_search, language))
    check_installed()
    session = None if url is None else Session(address(url), settings)
    if session is not None:
        session.check()
    return _Pgvector(settings, session, folder)


class _Pgvector:
    def __init__(self, settings: Settings, session: Session | None, folder: Path | None) -> None:
        self._settings, self._session, self._folder = settings, session, folder
        self._lock = RLock()
        self._server: PrivateServer | None = None
        self._schema = ""
        self._filled: Filled | None = None
        self._kept = Kept(0)

    @property
    def fingerprint(self) -> str:
        return identity(
            kind="pgvector",
            versions=self._versions(),
            index=self._settings.index,
            settings=self._settings.numbers,
            language=self._settings.language,
            words=("ts_rank", LENGTH),
        )

    @property
    def notes(self) -> Sequence[str]:
        postgres, version = self._versions()
        numbers = ", ".join(f"{name} {value}" for name, value in self._settings.numbers.items())
        index = f"hnsw ({numbers} or the depth if that is more)" if numbers else "exact"
        found = [
            f"PostgreSQL {postgres}, pgvector {version}, index {index}; words by ts_rank "
            f"(normalization {LENGTH}), {self._settings.language}"
        ]
        filled = self._filled or Filled(0)
        if filled.without_direction:
            found.append(
                f"{filled.without_direction:,} chunks have no vector: only words find them"
            )
        if filled.shortened:
            found.append(
                f"{filled.shortened:,} chunks are too long: words at their end are not found"
            )
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
        schema, filled, kept = f"assay_{token_hex(8)}", Filled(dimension), Kept(dimension)
        taken = rows_of(_kept_too(chunks, kept), filled)
        rows = track(taken, "filling PostgreSQL", total=total, unit="chunks")
        with self._connected().ready() as opened:
            fill(opened, schema, rows, filled, self._settings)
        self._schema, self._filled, self._kept = schema, filled, kept
        _ = kept.stored  # put in order before the first search

    def dense(self, vector: Vectors, depth: int) -> Found:
        session, _ = self._table()

        def near(unit: Floats, asked: int) -> tuple[Ints, Floats]:
            with session.ready(left=self._left()) as opened:
                return nearest(opened, self._schema, unit, asked, self._settings)

        return self._kept.dense(vector, depth, near, approximate=self.approximate)

    def lexical(self, text: str, depth: int) -> Found:
        session, _ = self._table()
        with session.ready(left=self._left()) as opened:
            return lexical(opened, self._schema, text, depth)

    def size_bytes(self) -> int:
        session, _ = self._table()
        with session.ready(left=self._left()) as opened:
            return size_bytes(opened, self._schema)

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
        """Drop the table; who has heard that the server is gone need not hear it again."""
        schema, self._schema, self._filled = self._schema, "", None
        if not schema or self._session is None or self._server is not None:
            return
        heard = self._session.lost
        failed = _failure(self._session, schema)
        if failed is not None and not heard:  # cut meanwhile, perhaps: it is opened again
            failed = _failure(self._session, schema)
        if failed is not None and not heard:
            raise InputError(
                f"the schema {schema} stays: {failed.problem}",
                where=failed.where,
                hint=f"later, DROP SCHEMA IF EXISTS {schema} CASCADE",
            ) from failed

    def _connected(self) -> Session:
        with self._lock:
            if self._session is None:
                self._server = PrivateServer(self._folder)
                self._session = Session(self._server.address, self._settings)
            return self._session

    def _table(self) -> tuple[Session, Filled]:
        if self._session is None or self._filled is None:
            raise InputError("the store is empty", where="pgvector", hint="fill it first")
        return self._session, self._filled

    def _left(self) -> str:
        """Name what a lost connection leaves behind."""
        return self._schema if self._server is None else ""

    def _versions(self) -> tuple[str, str]:
        with self._connected().ready() as opened:
            return opened.postgres, opened.pgvector


def _kept_too(chunks: Iterable[Batch], kept: Kept) -> Iterator[Batch]:
    """Keep the vectors beside the table: what it finds is scored with them."""
    for batch in chunks:
        kept.add(batch)
        yield batch


def _failure(session: Session, schema: str) -> InputError | None:
    """Drop a schema, or return what was in the way."""
    try:
        with session.ready() as opened:
            drop(opened, schema)
    except InputError as error:
        return error
    return None
