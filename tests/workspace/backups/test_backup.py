"""Copies of a ledger and its store: of SQLite and PostgreSQL, while others write, and killed."""

import os
import random
import stat
import time
from contextlib import closing

import pytest
from tests.workspace.backups.beside import events_in, running, wait_for, whole
from tests.workspace.store.made import AUTHOR, HANDBOOK
from tests.workspace.stored import all_rows, put_ledger, step_of, unpack

from assay.cli import start as run_command
from assay.errors import InputError
from assay.workspace.backups import backup as module
from assay.workspace.backups.backup import backup
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.ledger.open_database import NEWEST
from assay.workspace.store.store import open_service_store


def test_a_copy_is_a_workspace(filled, tmp_path, capsys):
    folder = tmp_path / "copy"
    folder.mkdir()
    done = backup(filled, folder / "ledger.sqlite")
    assert (done.file, done.step) == (folder / "ledger.sqlite", NEWEST)
    assert done.bytes == done.file.stat().st_size
    assert [path.name for path in folder.iterdir()] == ["ledger.sqlite"]
    assert stat.S_IMODE(done.file.stat().st_mode) == 0o600
    assert all_rows(done.file) == all_rows(filled)
    assert run_command(["show", "--workspace", str(folder)]) == 0
    assert "handbook" in capsys.readouterr().out
    with closing(open_ledger(filled)) as one, closing(open_ledger(done.file)) as two:
        assert one.benchmarks() == two.benchmarks()
        reports = [book.report(book.benchmarks()[0].id) for book in (one, two)]
    assert reports[0] == reports[1]
    with closing(open_service_store(done.file)) as service:
        (made,) = service.datasets.page().items
        assert service.datasets.read(made.id, 1) == HANDBOOK
        again = service.datasets.restore(made.id, 1, revision=2, **AUTHOR)  # it goes on from there
        assert again.version.number == 3
        assert service.audit.page().items[0].number == len(service.audit.page().items)


def test_an_older_ledger_is_copied_as_it_is(empty_place, tmp_path):
    put_ledger(unpack("0001", tmp_path) / "ledger.sqlite", empty_place)
    before = all_rows(empty_place)
    assert backup(empty_place, tmp_path / "copy.sqlite").step == "0001"
    assert (step_of(empty_place), step_of(tmp_path / "copy.sqlite")) == ("0001", "0001")
    assert all_rows(tmp_path / "copy.sqlite") == before


def test_a_writer_goes_on_meanwhile(filled, tmp_path, monkeypatch):
    """The copy has the state of its beginning, and the writer has written thousands since."""
    monkeypatch.setattr(module, "PAGES", 5)
    mark, copied, counted = tmp_path / "mark", tmp_path / "copy.sqlite", []

    def track(items, doing, *, total=None, unit=""):
        for item in items:
            if not counted:
                counted.append(events_in(filled))
                wait_for(lambda: events_in(filled) > counted[0] + 2000)
            yield item

    with running("write", filled, mark):
        wait_for(mark.exists)
        before = events_in(filled)
        backup(filled, copied, track=track)
    whole(copied)
    assert before <= events_in(copied) <= counted[0]
    assert step_of(copied) == NEWEST


def test_one_state_of_all_tables(filled, tmp_path, monkeypatch):
    """What is written after the first row was copied is not in the copy."""
    monkeypatch.setattr(module, "PAGES", 1)
    before, later = all_rows(filled), []

    def track(items, doing, *, total=None, unit=""):
        for item in items:
            if len(later) < 3:
                with closing(open_service_store(filled)) as service:
                    later.append(service.corpora.create(f"c{len(later)}", {"path": "x"}, **AUTHOR))
            yield item

    backup(filled, tmp_path / "copy.sqlite", track=track)
    assert len(later) == 3
    assert all_rows(tmp_path / "copy.sqlite") == before
    assert len(all_rows(filled)["corpora"]) == 3


@pytest.mark.parametrize("there", [False, True], ids=["new", "over another"])
def test_a_kill_leaves_nothing_or_what_was_there(filled, tmp_path, there):
    target, mark = tmp_path / "copy.sqlite", tmp_path / "mark"
    if there:
        backup(filled, target)
        with closing(open_service_store(filled)) as service:
            service.corpora.create("later", {"path": "x"}, **AUTHOR)
    before = target.read_bytes() if there else None
    with running("copy", filled, target, mark, 0.05) as process:
        wait_for(mark.exists)
        process.kill()
        assert process.wait(timeout=60) == -9
    assert (target.read_bytes() if target.exists() else None) == before
    backup(filled, target, force=True)
    assert all_rows(target) == all_rows(filled)


@pytest.mark.long
def test_kills_at_random_times_leave_a_whole_copy_or_none(filled, tmp_path, kills):
    target, mark, chance = tmp_path / "copy.sqlite", tmp_path / "mark", random.Random(3)
    outcomes = {"absent": 0, "whole": 0}
    expected = all_rows(filled)
    for _ in range(kills.number):
        with running("copy", filled, target, mark, 0.002) as process:
            wait_for(lambda process=process: mark.exists() or process.poll() is not None)
            time.sleep(chance.uniform(0, 0.6))
        mark.unlink(missing_ok=True)
        if target.exists():
            assert all_rows(target) == expected
            target.unlink()
            outcomes["whole"] += 1
        else:
            outcomes["absent"] += 1
    kills.log(f"backup: {outcomes['absent']} absent, {outcomes['whole']} whole")
    assert outcomes["absent"] >= 1


REFUSED = {
    "there already": ("there.sqlite", "already exists", "--force"),
    "a folder": ("folder", "is not a file", "path of a file"),
    "no folder": ("nowhere/copy.sqlite", "cannot be written there", "folder"),
    "itself": ("ledger.sqlite", "is the workspace database itself", "another"),
    "a link to itself": ("link.sqlite", "is the workspace database itself", "another"),
    "its log": ("open.sqlite", "in use", "open.sqlite-wal"),
    "a lost link": ("lost.sqlite", "is not a file", "path of a file"),
}


@pytest.mark.parametrize(("name", "problem", "hint"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_written_is_told(tmp_path, name, problem, hint):
    open_ledger(tmp_path / "ledger.sqlite").close()
    (tmp_path / "folder").mkdir()
    (tmp_path / "there.sqlite").write_text("precious")
    (tmp_path / "link.sqlite").symlink_to("ledger.sqlite")
    (tmp_path / "lost.sqlite").symlink_to("nothing")
    (tmp_path / "open.sqlite-wal").write_bytes(b"log")
    before = {path.name for path in tmp_path.iterdir()}
    with pytest.raises(InputError) as caught:
        backup(tmp_path / "ledger.sqlite", tmp_path / name, force=name != "there.sqlite")
    assert problem in caught.value.problem
    assert hint in caught.value.hint
    assert caught.value.where == str(tmp_path / name)
    assert {path.name for path in tmp_path.iterdir()} == before
    assert (tmp_path / "there.sqlite").read_text() == "precious"


def test_nothing_to_back_up(tmp_path, empty_database):
    for place in (tmp_path / "none.sqlite", empty_database):
        with pytest.raises(InputError, match="no database to back up") as caught:
            backup(place, tmp_path / "copy.sqlite")
        assert caught.value.hint
        assert list(tmp_path.iterdir()) == []


def test_a_damaged_ledger_is_not_copied(tmp_path):
    """A copy that cannot be read is none: the old one stays."""
    path, target = tmp_path / "ledger.sqlite", tmp_path / "copy.sqlite"
    with closing(open_service_store(path)) as service:
        service.datasets.create(HANDBOOK, **AUTHOR)
    backup(path, target)
    before, content = target.read_bytes(), bytearray(path.read_bytes())
    for content[4096 * 3 : 4096 * 12] in (b"\xaa" * 4096 * 9,):
        path.write_bytes(content)
    with pytest.raises(InputError, match="damaged") as caught:
        backup(path, target, force=True)
    assert caught.value.where == str(path)
    path.write_bytes(b"this is no database\n" * 999)
    with pytest.raises(InputError, match="damaged"):
        backup(path, target, force=True)
    assert target.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["copy.sqlite", "ledger.sqlite"]


def test_a_full_disk_is_told_and_leaves_what_was_there(filled, tmp_path, monkeypatch):
    target, opened = tmp_path / "copy.sqlite", module._opened
    backup(filled, target)
    before = target.read_bytes()

    def full(new):
        connection = opened(new)
        connection.execute("PRAGMA max_page_count=80")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(module, "_opened", full)
        with closing(open_service_store(filled)) as service:
            noise = {"text": os.urandom(500_000).hex()}
            service.corpora.create("large", noise, **AUTHOR)
        with pytest.raises(InputError, match="no space left") as caught:
            backup(filled, target, force=True)
    assert caught.value.where == str(target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if ".new" in path.name] == []


def test_an_interrupt_ends_it_and_leaves_nothing(filled, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PAGES", 1)

    def track(items, doing, *, total=None, unit=""):
        for number, item in enumerate(items):
            if number == 1:
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt):
        backup(filled, tmp_path / "copy.sqlite", track=track)
    assert [path.name for path in tmp_path.iterdir() if "sqlite" in path.name] == []
    assert backup(filled, tmp_path / "copy.sqlite").bytes > 0
