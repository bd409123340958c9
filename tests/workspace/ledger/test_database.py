"""What all that is kept in one database shares."""

import time
from contextlib import closing

from assay.workspace.ledger._database import Database


def test_the_time_of_a_file_is_that_of_the_process(place):
    with closing(Database(str(place / "l.sqlite"))) as database, database.reading() as connection:
        assert database.now(connection, lambda: 1000.5) == 1000.5


def test_the_time_of_a_server_is_its_own(server):
    """Whatever the clock of the process says; it goes on within a transaction."""
    with closing(Database(server)) as database, database.writing() as connection:
        first = database.now(connection, lambda: 1000.5)
        time.sleep(0.01)
        second = database.now(connection, lambda: 1000.5)
    assert isinstance(first, float)
    assert abs(first - time.time()) < 60
    assert 0 < second - first < 60
