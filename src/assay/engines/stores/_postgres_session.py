"""A connection to PostgreSQL: opened when it is needed, and again after it was lost."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any

from assay.engines.stores._postgres_address import PostgresAddress
from assay.engines.stores._postgres_errors import refused, said
from assay.engines.stores._postgres_settings import PostgresSettings
from assay.errors import InputError
from assay.text.near_miss import near_misses

if TYPE_CHECKING:
    import psycopg

__all__ = ["OpenConnection", "PostgresSession"]

EXTENSION = "vector"
TIMEOUT_MS = 60_000  # of one search; filling has no limit
INSTALLED = """SELECT extversion, nspname FROM pg_extension
               JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = %s"""
LANGUAGES = "SELECT cfgname, oid FROM pg_ts_config WHERE pg_ts_config_is_visible(oid)"


@dataclass(slots=True, eq=False)
class OpenConnection:
    """A connection that is ready, and what is known of its server.

    ``language`` is the number of the text search configuration there; ``reach`` the number of
    candidates that an hnsw search was last told to keep in view.
    """

    connection: "psycopg.Connection[tuple[Any, ...]]"
    postgres: str
    pgvector: str
    language: int
    reach: int = 0


class PostgresSession:
    """One connection for all threads, which wait for each other."""

    def __init__(self, address: PostgresAddress, settings: PostgresSettings) -> None:
        self._address, self._settings = address, settings
        self._lock = RLock()
        self._opened: OpenConnection | None = None

    @property
    def address(self) -> PostgresAddress:
        """Tell where it leads to."""
        return self._address

    @property
    def lost(self) -> bool:
        """Whether there is no connection, not yet or no longer."""
        return self._opened is None or self._opened.connection.closed

    def check(self) -> None:
        """Connect, so that whatever is in the way is said now."""
        with self.ready():
            pass

    @contextmanager
    def ready(self, *, left: str = "") -> Iterator[OpenConnection]:
        """Give the connection to one at a time; ``left`` names what a lost one leaves behind."""
        with self._lock, said(self._address, left=left):
            opened = self._opened
            if opened is None or opened.connection.closed:
                opened = self._opened = _open(self._address, self._settings)
            yield opened

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            if self._opened is not None:
                self._opened.connection.close()
            self._opened = None


def _open(address: PostgresAddress, settings: PostgresSettings) -> OpenConnection:
    import psycopg

    try:
        # Prepared statements would be planned without knowing the query.
        connection = psycopg.connect(
            **address.parameters,  # type: ignore[arg-type]
            autocommit=True,
            prepare_threshold=None,
        )
    except psycopg.Error as error:
        raise refused(error, address) from None
    try:
        return _prepared(connection, address, settings)
    except BaseException:
        connection.close()
        raise


def _prepared(
    connection: "psycopg.Connection[tuple[Any, ...]]",
    address: PostgresAddress,
    settings: PostgresSettings,
) -> OpenConnection:
    from pgvector.psycopg import register_vector
    from psycopg import sql

    version, schema = _extension(connection)
    # Nothing but the catalogue and the operators of vectors: no name of somebody else is found.
    path = sql.SQL("SET search_path TO {}").format(sql.Identifier(schema))
    connection.execute(path)
    connection.execute("SELECT set_config('statement_timeout', %s, false)", [str(TIMEOUT_MS)])
    language = _language(connection, settings.language, address)
    register_vector(connection)
    (postgres,) = connection.execute("SHOW server_version").fetchone() or ("",)
    return OpenConnection(connection, str(postgres).split()[0], version, language)


def _extension(connection: "psycopg.Connection[tuple[Any, ...]]") -> tuple[str, str]:
    """Return the version of pgvector and the schema it is in; create it where it is missing."""
    from psycopg import errors, sql

    found = connection.execute(INSTALLED, [EXTENSION]).fetchone()
    if found is None:
        create = sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(EXTENSION))
        with suppress(errors.UniqueViolation):  # somebody else created it at the same moment
            connection.execute(create)
        found = connection.execute(INSTALLED, [EXTENSION]).fetchone()
    version, schema = found or ("", "public")
    return str(version), str(schema)


def _language(
    connection: "psycopg.Connection[tuple[Any, ...]]", language: str, address: PostgresAddress
) -> int:
    known = {str(name): int(oid) for name, oid in connection.execute(LANGUAGES).fetchall()}
    if language not in known:
        close = near_misses(language, known) or sorted(known)
        raise InputError(
            f'unknown text search configuration "{language}"',
            where=f"{address.place}, language",
            hint=f"available: {', '.join(close)}",
        )
    return known[language]
