"""Steps of the ledger: taken, undone, taken by two at once, interrupted; on both databases."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from alembic import op
from alembic.operations import Operations
from tests.workspace.stored import STORED, all_rows, kept, put_ledger, step_of, unpack

from assay.errors import InputError
from assay.workspace.ledger import _database, _schema
from assay.workspace.ledger._database import Database
from assay.workspace.ledger.ledger import open_ledger

WORK = Path(__file__).with_name("step_work.py")
BEFORE = [step for step in STORED if step != _schema.NEWEST]


@pytest.fixture(params=BEFORE)
def step(request):
    """Each step before the newest one."""
    return request.param


@pytest.fixture
def older(empty_place, step, tmp_path):
    """A ledger of an earlier step, with a benchmark in it."""
    put_ledger(unpack(step, tmp_path) / "ledger.sqlite", empty_place)
    assert step_of(empty_place) == step
    return empty_place


def reports(place):
    with closing(open_ledger(place)) as ledger:
        return {one.id: (one, ledger.report(one.id)) for one in ledger.benchmarks()}


def test_an_upgrade_keeps_every_row_and_report(older, tmp_path):
    before, expected = all_rows(older), reports(tmp_path / ".assay" / "ledger.sqlite")
    assert sum(map(len, before.values())) > 100
    assert reports(older) == expected
    assert [report[:1] for one, report in expected.values() if one.reported] == [b"{"]
    assert step_of(older) == _schema.NEWEST
    assert kept(before, all_rows(older))


def test_down_and_up_again_keeps_the_benchmarks(older, step):
    before = all_rows(older)
    expected = reports(older)
    with closing(Database(older)) as database:
        _schema.bring_back(database, step)
        assert (step_of(older), all_rows(older)) == (step, before)
        _schema.bring_back(database, step)  # nothing is left to undo
        assert all_rows(older) == before
    assert reports(older) == expected
    assert (step_of(older), kept(before, all_rows(older))) == (_schema.NEWEST, True)


def test_two_processes_upgrade_at_once(older):
    before = all_rows(older)
    command = [sys.executable, str(WORK), older]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=120)[1] for process in running] == [""] * 3
    assert [process.returncode for process in running] == [0] * 3
    assert (step_of(older), kept(before, all_rows(older))) == (_schema.NEWEST, True)


@pytest.mark.parametrize("when", ["first", "last"])
def test_a_kill_in_the_middle_leaves_the_old_state(older, step, tmp_path, when):
    before, mark = all_rows(older), tmp_path / "mark"
    process = subprocess.Popen([sys.executable, str(WORK), older, when, str(mark)])
    wait_for(mark.exists)
    process.kill()
    assert process.wait(timeout=60) == -9
    assert (step_of(older), all_rows(older)) == (step, before)
    open_ledger(older).close()
    assert (step_of(older), kept(before, all_rows(older))) == (_schema.NEWEST, True)


def test_an_exception_in_the_middle_leaves_the_old_state(older, step, monkeypatch):
    before, invoke = all_rows(older), Operations.invoke

    def invoke_and_fail(*words):
        invoke(*words)
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Operations, "invoke", invoke_and_fail)
        with pytest.raises(ZeroDivisionError):
            open_ledger(older)
    assert (step_of(older), all_rows(older)) == (step, before)
    assert reports(older)


def test_an_exception_between_two_steps_makes_neither(empty_place, monkeypatch):
    make = op.create_table

    def create_table(name, *columns, **more):
        return fail() if name == "datasets" else make(name, *columns, **more)

    with monkeypatch.context() as patch:
        patch.setattr(op, "create_table", create_table)
        with pytest.raises(ZeroDivisionError):
            open_ledger(empty_place)
    assert (step_of(empty_place), all_rows(empty_place)) == (None, {})
    assert reports(empty_place) == {}


def test_a_full_disk_is_one_message(place, tmp_path, monkeypatch):
    """SQLite is told that there are no more pages, and reports what it reports of a full disk."""
    path = unpack("0001", tmp_path) / "ledger.sqlite"
    before, connect = all_rows(path), _database._connected

    def full(file):
        connection = connect(file)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages + 20}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(_database, "_connected", full)
        with pytest.raises(InputError) as caught:
            open_ledger(path)
    assert caught.value.where == str(path)
    assert "no space left on the disk" in caught.value.problem
    assert "free some space" in caught.value.hint
    assert (step_of(path), all_rows(path)) == ("0001", before)
    assert reports(path)


def test_tables_of_somebody_else_are_left_alone(empty_place, tmp_path):
    """A table of the same name was there before the step: nothing is changed."""
    put_ledger(unpack("0001", tmp_path) / "ledger.sqlite", empty_place)
    with closing(Database(empty_place)) as database, database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE mappings (weight INTEGER)")
    before = all_rows(empty_place)
    with pytest.raises(InputError, match="already exists"):
        open_ledger(empty_place)
    assert (step_of(empty_place), all_rows(empty_place)) == ("0001", before)


def test_a_number_is_never_given_twice(place):
    """Who reads on from a number would miss the row that got it again."""
    open_ledger(place / "l.sqlite").close()
    with closing(sqlite3.connect(place / "l.sqlite")) as connection:
        texts = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    numbered = {name for name, text in texts.items() if "AUTOINCREMENT" in text}
    assert numbered >= {"datasets", "corpora", "mappings", "judgments", "events", "audit"}


def fail(*_, **__):
    raise ZeroDivisionError


def wait_for(is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)
