"""News of a database that changed: whoever commits, in whichever process; also after an outage."""

import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from assay.workspace import changes
from assay.workspace.changes import open_changes
from assay.workspace.ledger.ledger import open_ledger

PATIENCE_S = 20.0
ANOTHER = """
import sys
from assay.workspace.ledger.ledger import open_ledger
ledger = open_ledger(sys.argv[1])
ledger.create(name="n", about={}, runs=[], job={}, author="a")
ledger.close()
"""


def create(ledger):
    return ledger.create(name="n", about={}, runs=["a"], job={}, author="Ada")[0]


def drain(news):
    while news.wait(0.2):
        pass


@pytest.fixture
def ledger(empty_place):
    with closing(open_ledger(empty_place)) as opened:
        yield opened


@pytest.fixture
def news(empty_place, ledger):
    with closing(open_changes(empty_place)) as opened:
        yield opened


def test_each_commit_of_a_writer_is_news_once(news, ledger):
    assert not news.wait(0.1)
    id_ = create(ledger)
    assert news.wait(PATIENCE_S)
    drain(news)
    ledger.start(id_)
    assert news.wait(PATIENCE_S)
    drain(news)
    assert not news.wait(0.1)


def test_reading_is_no_news(news, ledger):
    id_ = create(ledger)
    drain(news)
    ledger.find(id_)
    ledger.progress()
    assert ledger.take_job("a worker") is None
    assert not news.wait(0.2)


def test_what_happened_before_a_wait_counts(news, ledger):
    for _ in range(3):
        create(ledger)
    assert news.wait(0)  # it needs no time: the news is there
    drain(news)


def test_another_process_wakes_who_waits(news, empty_place):
    began = time.monotonic()
    timer = threading.Timer(
        0.1, subprocess.run, ([sys.executable, "-c", ANOTHER, empty_place],), {"check": True}
    )
    timer.start()
    assert news.wait(60)
    assert time.monotonic() - began < 50
    timer.join()


def test_a_wait_without_news_ends_in_time(news):
    began = time.monotonic()
    assert not news.wait(0.3)
    assert 0.25 < time.monotonic() - began < 10


def test_a_file_that_is_not_there_is_not_made(place):
    with pytest.raises(sqlite3.OperationalError):
        open_changes(str(place / "nothing.sqlite"))
    assert list(place.iterdir()) == []


@pytest.mark.server
def test_after_a_lost_connection_there_is_news(empty_database, monkeypatch):
    """Whatever happened meanwhile, nobody was told: so the reader is to look."""
    import psycopg

    monkeypatch.setattr(changes, "AGAIN_S", 0.05)
    with closing(open_ledger(empty_database)), closing(open_changes(empty_database)) as news:
        drain(news)
        plain = empty_database.replace("+psycopg", "")
        with psycopg.connect(plain, autocommit=True) as connection:
            connection.execute(
                """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE query LIKE 'LISTEN%' AND datname = current_database()"""
            )
        until = time.monotonic() + PATIENCE_S
        while not news.wait(0.2):
            assert time.monotonic() < until
        with closing(open_ledger(empty_database)) as ledger:
            drain(news)
            create(ledger)
            assert news.wait(PATIENCE_S)
