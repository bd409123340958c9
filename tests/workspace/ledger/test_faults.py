"""Ledgers that cannot be used, and ledgers of other times: one message, never a traceback."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.records.work import RecordedAnswer, Unit
from assay.workspace.disk.connections import reading
from assay.workspace.ledger import _schema
from assay.workspace.ledger.ledger import open_ledger

WORK = Path(__file__).with_name("ledger_work.py")


def filled(path, *, queries=300):
    with closing(open_ledger(path)) as book:
        benchmark = book.begin(identity="i", name="n", about={}, runs=["a"], resume=False).id
        book.prepare(benchmark, [Unit("u", "stage", "u", (), queries)])
        claim = book.claim(benchmark, "w")
        book.record(claim, [RecordedAnswer(f"q{n}", 0, os.urandom(300)) for n in range(queries)])
        book.complete(claim)
        book.finish(benchmark, "completed", report=b"{}")
    return benchmark


def version(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchall()


def test_the_newest_step_is_the_one_that_is_looked_for():
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory(".", version_locations=[str(_schema.STEPS)])
    assert steps.get_current_head() == _schema.NEWEST


def test_a_new_ledger_is_of_this_assay(place):
    path = place / "ünter" / "l.sqlite"
    open_ledger(path).close()
    assert version(path) == [(_schema.NEWEST,)]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    assert (place / "ünter" / ".gitignore").read_text() == "*\n"


def test_a_current_ledger_is_opened_without_alembic(place):
    open_ledger(place / "l.sqlite").close()
    program = (
        "import sys; from assay.workspace.ledger.ledger import open_ledger; "
        "assert 'sqlalchemy' not in sys.modules; "
        f"open_ledger({str(place / 'l.sqlite')!r}).close(); print('alembic' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (told.stdout, told.stderr) == ("False\n", "")


@pytest.fixture
def further_step(place, monkeypatch):
    """Add a step after the newest one, which does what it is told."""

    def added(*lines):
        steps = place / "steps"
        shutil.copytree(_schema.STEPS, steps, ignore=shutil.ignore_patterns("__pycache__"))
        body = "".join(f"    {line}\n" for line in lines)
        (steps / "ledger_9000.py").write_text(
            "import sqlalchemy as sa\nfrom alembic import op\n"
            f"revision, down_revision = '9000', '{_schema.NEWEST}'\ndef upgrade():\n{body}"
        )
        monkeypatch.setattr(_schema, "STEPS", steps)
        monkeypatch.setattr(_schema, "NEWEST", "9000")

    return added


COLUMN = "op.add_column('units', sa.Column('extra', sa.Text))"


def test_an_older_ledger_is_brought_up_to_date(place, further_step):
    """A further step adds a column: nothing is lost."""
    path = place / "l.sqlite"
    filled(path)
    further_step(COLUMN)
    for _ in range(2):
        with closing(open_ledger(path)) as book:
            assert len(book.asked("u")) == 300
    assert version(path) == [("9000",)]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT extra FROM units").fetchall() == [(None,)]


def test_a_step_that_fails_changes_nothing(place, monkeypatch, further_step):
    path, newest = place / "l.sqlite", _schema.NEWEST
    filled(path)
    further_step(COLUMN, "op.drop_table('nowhere')")
    with pytest.raises(InputError, match="nowhere"):
        open_ledger(path)
    monkeypatch.undo()
    assert version(path) == [(newest,)]
    with closing(open_ledger(path)) as book:
        assert len(book.asked("u")) == 300
    with closing(sqlite3.connect(path)) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(units)")}
    assert "extra" not in columns


def test_a_newer_ledger_is_refused(place):
    path = place / "l.sqlite"
    filled(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(InputError, match="newer version") as caught:
        open_ledger(path)
    assert "update Assay" in caught.value.hint
    assert caught.value.where == str(path)


def test_many_processes_make_a_new_ledger_at_once(place):
    path = place / "l.sqlite"
    processes = [
        subprocess.Popen(
            [sys.executable, str(WORK), "begin", str(path), f"i{number}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    told = [process.communicate(timeout=60) for process in processes]
    assert [err for _, err in told] == [""] * 3
    with closing(open_ledger(path)) as book:
        assert {listed.id for listed in book.benchmarks()} == {out.strip() for out, _ in told}


@pytest.mark.parametrize("ledgers", [1, 6])
def test_many_threads_make_new_ledgers_at_once(place, ledgers):
    together, made = threading.Barrier(6), []

    def make(number):
        together.wait(timeout=60)
        open_ledger(place / f"{number % ledgers}.sqlite").close()
        made.append(number)

    threads = [threading.Thread(target=make, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(made) == 6


def test_what_is_no_database_is_damaged(place):
    path = place / "l.sqlite"
    path.write_bytes(b"this is a text\r\n" * 1000)
    with pytest.raises(InputError, match="damaged") as caught:
        open_ledger(path)
    assert "move it away" in caught.value.hint


def test_another_database_is_left_as_it_is(place):
    path = place / "l.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE units (weight REAL)")
    with pytest.raises(InputError, match="already exists"):
        open_ledger(path)
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert names == [("units",)]


def test_a_torn_file_gives_a_message_or_what_was_in_it(place):
    """Overwrite each page in turn: what is read is what was written, or the ledger is damaged."""
    path, torn = place / "l.sqlite", place / "torn.sqlite"
    benchmark = filled(path, queries=60)
    with closing(open_ledger(path)) as book:
        before = (list(book.rows("u")), book.benchmarks(), book.report(benchmark), book.tapes())
    whole = path.read_bytes()
    damages = 0
    for start in range(0, len(whole), 4096):
        torn.write_bytes(whole[:start] + b"\xaa" * 4096 + whole[start + 4096 :])
        try:
            with closing(open_ledger(torn)) as book:
                after = (list(book.rows("u")), book.benchmarks())
                assert book.report(benchmark) == before[2]
                assert book.tapes() == before[3]
                assert after == before[:2]
        except InputError as error:
            damages += "damaged" in error.problem
        for ending in ("", "-wal", "-shm"):
            Path(f"{torn}{ending}").unlink(missing_ok=True)
    assert damages >= 5


@pytest.mark.parametrize("column", ["times", "value"])
def test_a_row_that_makes_no_sense_is_damage(place, column):
    path = place / "l.sqlite"
    filled(path, queries=3)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE recorded SET {column} = x'01ff'")
    with closing(open_ledger(path)) as book, pytest.raises(InputError, match="damaged"):
        list(book.rows("u"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_a_closed_folder_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        open_ledger(tmp_path / "deeper" / "l.sqlite")


def test_a_folder_in_its_place_is_told(place):
    with pytest.raises(InputError) as caught:
        open_ledger(place)
    assert caught.value.where == str(place)


def test_a_file_above_it_is_told(place):
    (place / "file").write_text("")
    with pytest.raises(InputError, match="not a folder"):
        open_ledger(place / "file" / "l.sqlite")


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("postgresql+psycopg://me:secret@127.0.0.1:1/none", "cannot be used"),
        ("nonsense://me:secret@host/x", "not a database address"),
        ("postgresql+psycopg://me:secret@[::1/x", "not a database address"),
        ("postgresql+psycopg://me:secret@host:port/x", "not a database address"),
    ],
)
def test_a_server_that_is_not_there_is_told_without_the_password(url, problem):
    with pytest.raises(InputError, match=problem) as caught:
        open_ledger(url)
    assert "secret" not in str(caught.value)


def test_a_reader_that_takes_its_time_blocks_no_writer(place):
    path = place / "l.sqlite"
    benchmark = filled(path)
    with closing(open_ledger(path)) as book, closing(reading(path)) as other:
        other.execute("BEGIN")
        count = other.execute("SELECT count(*) FROM recorded").fetchone()
        book.prepare(benchmark, [Unit("v", "stage", "v", (), 1)])
        claim = book.claim(benchmark, "w")
        book.record(claim, [RecordedAnswer("q")])
        assert other.execute("SELECT count(*) FROM recorded").fetchone() == count == (300,)


def test_space_goes_back_to_the_disk(place):
    path = place / "l.sqlite"
    open_ledger(path).close()
    empty = path.stat().st_size
    filled(path, queries=2000)
    assert path.stat().st_size > 3 * empty
    with closing(open_ledger(path)) as book:
        assert book.forget(["u"]) > 600_000
    assert path.stat().st_size < 1.1 * empty


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to fork with")
def test_a_fork_uses_connections_of_its_own(place):
    path = place / "l.sqlite"
    program = f"""
import os, sys
from assay.workspace.ledger.ledger import open_ledger, worker_name
book = open_ledger({str(path)!r})
parent, of_parent = worker_name(), book._database._opened()
child = os.fork()
if not child:
    assert worker_name() != parent
    assert book._database._opened() is not of_parent
    book.begin(identity="child", name="c", about={{}}, runs=[], resume=False)
    os._exit(0)
book.begin(identity="parent", name="p", about={{}}, runs=[], resume=False)
assert os.waitpid(child, 0)[1] == 0
print(sorted(each.identity for each in book.benchmarks()))
book.close()
"""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (told.stdout, told.stderr) == ("['child', 'parent']\n", "")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE benchmarks SET report = x'017801ff'", "damaged"),
        ("UPDATE benchmarks SET name = CAST(x'ff' AS TEXT)", "damaged"),
        ("ALTER TABLE benchmarks RENAME COLUMN report TO other", "damaged"),
        ("DROP TABLE units", "damaged"),
        ("UPDATE benchmarks SET about = '{' || about", "damaged"),
    ],
)
def test_what_a_reader_cannot_use_is_damage(place, change, told):
    path = place / "l.sqlite"
    benchmark = filled(path, queries=1)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(change)
    with closing(open_ledger(path)) as book, pytest.raises(InputError, match=told):
        [book.report(benchmark), book.benchmarks(), book.tapes()]
