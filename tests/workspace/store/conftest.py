"""The store on SQLite and on a real PostgreSQL, and datasets with all that a dataset can hold."""

from contextlib import closing

import pytest
from sqlalchemy import inspect

from assay.workspace.ledger.open_database import open_database, run
from assay.workspace.store.store import open_service_store


class Clock:
    """Tells the time of SQLite; PostgreSQL has its own."""

    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        self.now += 1.0
        return self.now


@pytest.fixture(params=["sqlite", "postgresql"])
def store_place(request, place):
    """Where an empty store is."""
    if request.param == "sqlite":
        return str(place / "ledger.sqlite")
    url = request.getfixturevalue("server")
    with closing(open_database(url)) as database, database.writing() as connection:
        tables = set(inspect(connection).get_table_names()) - {"alembic_version"}
        run(connection, f"TRUNCATE {', '.join(sorted(tables))} RESTART IDENTITY")
    return url


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def service(store_place, clock):
    with closing(open_service_store(store_place, clock=clock)) as opened:
        yield opened


@pytest.fixture
def is_file(store_place):
    """Whether the clock of the process counts."""
    return "://" not in store_place
