"""What a workspace keeps is for its owner alone: answers of servers are in it."""

import os
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from assay.records.work import RecordedAnswer, Unit
from assay.text import keep_secret
from assay.workspace.disk.connections import writing
from assay.workspace.disk.folders import made
from assay.workspace.ledger.ledger import open_ledger

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")


def mode(place):
    return stat.S_IMODE(place.stat().st_mode)


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_new_folders_and_files_are_for_their_owner_alone(tmp_path, umask):
    before = os.umask(umask)
    try:
        with closing(open_ledger(tmp_path / "new" / "w" / "ledger.sqlite")) as book:
            begin(book)
            files = [*(tmp_path / "new" / "w").glob("ledger.sqlite*")]
            assert {mode(file) for file in files} == {0o600}
        writing(made(tmp_path / "new" / "w" / "i") / "index.sqlite").close()
    finally:
        os.umask(before)
    folders = (tmp_path / "new", tmp_path / "new" / "w", tmp_path / "new" / "w" / "i")
    assert {mode(folder) for folder in folders} == {0o700}
    assert mode(tmp_path / "new" / "w" / "i" / "index.sqlite") == 0o600


def begin(book):
    return book.begin(identity="i", name="n", about={}, runs=["r"], resume=False)


def test_a_ledger_that_others_could_read_is_closed_to_them(tmp_path):
    place = tmp_path / "ledger.sqlite"
    with closing(open_ledger(place)) as book:
        begin(book)
    place.chmod(0o644)
    with closing(open_ledger(place)) as book:
        begin(book)
    assert mode(place) == 0o600


def test_a_secret_that_a_server_repeats_is_not_kept(tmp_path):
    keep_secret("TEST_LEDGER_KEY", "s3cr3t-value")
    place = tmp_path / "ledger.sqlite"
    with closing(open_ledger(place)) as book:
        begun = begin(book)
        book.prepare(begun.id, [Unit("k", "search", "search", total=1)])
        claim = book.claim(begun.id, "worker")
        book.record(claim, [RecordedAnswer("q", 0, error="401: no such key s3cr3t-value")])
        book.fail(claim, "the server said s3cr3t-value")
        assert [row.error for row in book.rows("k")] == ["401: no such key ${TEST_LEDGER_KEY}"]
        assert book.states(begun.id)["k"].error == "the server said ${TEST_LEDGER_KEY}"
    assert not any(b"s3cr3t" in file.read_bytes() for file in tmp_path.iterdir())


OTHER = """import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("INSERT INTO t VALUES (2)")
connection.close()
"""


def test_a_further_connection_keeps_the_locks_of_the_first(tmp_path):
    """Else another process that comes and goes would remove the log that we write to."""
    place = tmp_path / "l.sqlite"
    with closing(writing(place)) as first:
        first.execute("CREATE TABLE t (x)")
        with closing(writing(place)) as second:
            second.execute("SELECT * FROM t").fetchall()
            log = Path(f"{place}-wal").stat().st_ino
            subprocess.run([sys.executable, "-c", OTHER, str(place)], check=True)
            assert Path(f"{place}-wal").stat().st_ino == log
            first.execute("INSERT INTO t VALUES (1)")
    with closing(writing(place)) as again:
        assert again.execute("SELECT x FROM t ORDER BY x").fetchall() == [(1,), (2,)]


LIST = """import sys
from assay.workspace.ledger.ledger import open_ledger
ledger = open_ledger(sys.argv[1])
print(len(ledger.benchmarks()))
ledger.close()
"""


def test_what_is_begun_beside_others_that_come_and_go_is_seen_by_them(tmp_path):
    """This process has two connections, as a worker and its heartbeat have."""
    place, seen = tmp_path / "l.sqlite", []
    with closing(open_ledger(place)) as one, closing(open_ledger(place)) as other:
        for book in (one, other, one):
            begin(book)
            command = [sys.executable, "-c", LIST, str(place)]
            seen.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert seen == ["1\n", "2\n", "3\n"]
