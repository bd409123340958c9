"""A ledger in a file, and in a real PostgreSQL; both with a clock that a test sets."""

from contextlib import closing

import pytest

from assay.workspace.ledger.ledger import open_ledger

TABLES = "benchmarks, runs, units, needs, steps, uses, recorded, tapes, machines, workers"


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture(params=["sqlite", "postgresql"])
def at(request, place):
    if request.param == "sqlite":
        return str(place / "ledger.sqlite")
    url = request.getfixturevalue("server")
    import psycopg

    open_ledger(url).close()
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"TRUNCATE {TABLES}")
    return url


# PostgreSQL looks for functions where its search path says: here first for the clock of a test.
OWN_CLOCK = """
    CREATE SCHEMA IF NOT EXISTS stopped;
    CREATE TABLE IF NOT EXISTS stopped.clock (now double precision);
    DELETE FROM stopped.clock;
    CREATE OR REPLACE FUNCTION stopped.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    'SELECT coalesce((SELECT to_timestamp(now) FROM stopped.clock), pg_catalog.clock_timestamp())';
    ALTER ROLE CURRENT_USER SET search_path = public, stopped, pg_catalog
"""


class ServerClock:
    """The clock of PostgreSQL, which stands still unless it is set."""

    def __init__(self, url):
        self._url = url.replace("+psycopg", "")
        self._execute(OWN_CLOCK)
        self.now = 1000.0

    @property
    def now(self):
        return self._now

    @now.setter
    def now(self, value):
        self._now = value
        self._execute(f"DELETE FROM stopped.clock; INSERT INTO stopped.clock VALUES ({value})")

    def __call__(self):
        return 77.0  # that of a machine which is not asked

    def start(self):
        self._execute("DELETE FROM stopped.clock")

    def _execute(self, statements):
        import psycopg

        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statements)


@pytest.fixture
def clock(at):
    if "://" not in at:
        yield Clock()
        return
    stopped = ServerClock(at)
    yield stopped
    stopped.start()


@pytest.fixture
def book(at, clock):
    with closing(open_ledger(at, clock=clock)) as opened:
        yield opened
