"""Backups that are restored: over nothing, over content, beside others, and killed."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.workspace.backups.beside import running, wait_for, whole
from tests.workspace.store.made import AUTHOR
from tests.workspace.stored import STORED, all_rows, kept, step_of, unpack

from assay.errors import ConflictError, FencedError, InputError, InUseError
from assay.records.work import RecordedAnswer, Unit
from assay.workspace.backups import restore as module
from assay.workspace.backups._backup_folder import take_turn
from assay.workspace.backups.backup import backup
from assay.workspace.backups.restore import restore
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.ledger.open_database import NEWEST
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

WORK = Path(__file__).with_name("restore_work.py")


@pytest.fixture
def space(empty_place, place):
    """A workspace whose database is a file, or a real PostgreSQL."""
    folder = place / ".assay"
    folder.mkdir()
    return Workspace(folder, empty_place if "://" in empty_place else "")


@pytest.fixture
def copy(tmp_path):
    """A backup with a benchmark, its report and a dataset."""
    source = unpack(STORED[-1], tmp_path / "source") / "ledger.sqlite"
    open_ledger(source).close()
    return backup(source, tmp_path / "copy.sqlite").file


def content(place):
    """Read all rows, but for numbers of claims: a restored ledger counts on from higher ones.

    Nor has it workers: those of the backup have other work, or are gone.
    """
    found = all_rows(place)
    found.pop("workers", None)
    found["units"] = [tuple(one for one in row if one[0] != "fence") for row in found["units"]]
    return found


def add_corpus(space, name="later"):
    with closing(open_service_store(space.database)) as service:
        return service.corpora.create(name, {"path": "x"}, **AUTHOR).id


def corpora(place):
    with closing(open_service_store(place)) as service:
        return {one.name for one in service.corpora.page().items}


def test_an_empty_place_gets_all_of_it(space, copy):
    done = restore(space, copy)
    assert (done.file, done.backup_step, done.step, done.saved) == (copy, NEWEST, NEWEST, None)
    assert content(space.database) == content(copy)
    with closing(open_ledger(space.database)) as one, closing(open_ledger(copy)) as two:
        assert one.benchmarks() == two.benchmarks()
    add_corpus(space)  # numbers count on
    with closing(open_ledger(space.database)) as ledger:
        assert ledger.create(
            name="n", about={}, runs=["a"], job={}, author="ada", kind="benchmark"
        )[1]


def test_content_is_replaced_only_with_force(space, copy):
    add_corpus(space)
    before = content(space.database)
    with pytest.raises(ConflictError, match=r"not empty \(1 corpus and 1 audit entry\)") as caught:
        restore(space, copy)
    assert "--force" in caught.value.hint
    assert content(space.database) == before
    done = restore(space, copy, force=True)
    assert content(space.database) == content(copy)
    assert content(done.saved) == before
    assert done.saved.parent == space.folder / "backups"
    restore(space, done.saved, force=True)  # and back again
    assert content(space.database) == before


@pytest.mark.parametrize("step", STORED[:-1])
def test_an_older_backup_is_brought_to_this_version(space, tmp_path, step):
    old = unpack(step, tmp_path / step) / "ledger.sqlite"
    before = old.read_bytes()
    done = restore(space, old)
    assert (done.backup_step, done.step, step_of(space.database)) == (step, NEWEST, NEWEST)
    expected = all_rows(old)
    expected["units"] = content(old)["units"]
    expected.pop("workers", None)
    assert kept(expected, content(space.database))
    assert old.read_bytes() == before


def broken(tmp_path, copy, kind):
    """A file that is no backup that can be restored."""
    file = tmp_path / "broken.sqlite"
    shutil.copyfile(copy, file)
    if kind == "text":
        file.write_text("this is no database\n" * 999)
    elif kind == "cut":
        os.truncate(file, file.stat().st_size // 2)
    elif kind == "damaged":
        data = bytearray(file.read_bytes())
        data[4096 * 3 : 4096 * 12] = b"\xaa" * 4096 * 9
        file.write_bytes(data)
    elif kind == "empty":
        file.write_bytes(b"")
    elif kind in SCRIPTS:
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(SCRIPTS[kind])
    return {"folder": tmp_path, "missing": tmp_path / "none.sqlite"}.get(kind, file)


SCRIPTS = {
    "newer": "UPDATE alembic_version SET version_num = '0099'",
    "no version": "DELETE FROM alembic_version",
    "a column less": "ALTER TABLE corpora DROP COLUMN last_read",
    "a table more": "CREATE TABLE odd (x INTEGER)",
    "other tables": "DROP TABLE units",
}
REFUSED = {
    "text": "is not a backup",
    "cut": "damaged|is not a backup",
    "damaged": "damaged|is not a backup",
    "empty": "is not a backup",
    "folder": "is not a file",
    "missing": "no such file",
    "newer": "newer version of Assay",
    "no version": "has no schema version",
    "a column less": "other tables",
    "a table more": "other tables",
    "other tables": "other tables",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_backup_changes_nothing(space, copy, tmp_path, kind):
    add_corpus(space)
    before, file = content(space.database), broken(tmp_path, copy, kind)
    with pytest.raises(InputError, match=REFUSED[kind]) as caught:
        restore(space, file, force=True)
    assert caught.value.where == str(file)
    assert caught.value.hint
    assert content(space.database) == before
    left = [path.name for path in (space.folder / "backups").glob("*")]
    assert [name for name in left if not name.startswith(("turn", ".git"))] == []


def test_the_database_itself_is_no_backup(place):
    space = Workspace(place)
    open_ledger(space.ledger).close()
    (place / "link.sqlite").symlink_to("ledger.sqlite")
    for file in (space.ledger, place / "link.sqlite"):
        with pytest.raises(InputError, match="is the workspace database itself"):
            restore(space, file, force=True)


def test_a_damaged_database_is_kept_and_replaced(copy, place):
    space = Workspace(place)
    space.ledger.write_bytes(b"this was a database once\n" * 999)
    damaged = space.ledger.read_bytes()
    (place / "ledger.sqlite-wal").write_bytes(b"its log")  # must not be applied to the new one
    with pytest.raises(ConflictError, match="damaged") as caught:
        restore(space, copy)
    assert "--force" in caught.value.hint
    assert space.ledger.read_bytes() == damaged
    done = restore(space, copy, force=True)
    assert done.saved.read_bytes() == damaged
    assert content(space.database) == content(copy)
    space.ledger.write_bytes(damaged)  # within the same second, perhaps
    assert restore(space, copy, force=True).saved != done.saved


def test_whoever_has_it_open_sees_the_new_state(space, copy):
    """A worker that holds a unit is fenced: its rows belong to what is not there any more."""
    with closing(open_ledger(space.database)) as ledger:
        begun = ledger.begin(identity="i", name="n", about={}, runs=["a"], resume=False).id
        ledger.prepare(begun, [Unit("u", "stage", "u", (), 2)])
        claim = ledger.claim(begun, "elsewhere-0/1/1")
        ledger.record(claim, [RecordedAnswer("q", 0, b"1")])
        file = backup(space.database, space.folder / "mine.sqlite").file
        restore(space, copy, force=True)
        assert {one.name for one in ledger.benchmarks()} >= {"handbook"}
        restore(space, file, force=True)
        with pytest.raises(FencedError):
            ledger.record(claim, [RecordedAnswer("q2", 0, b"2")])
        assert [row.query for row in ledger.rows("u")] == ["q"]


def test_revoked_tokens_stay_revoked(space):
    """A backup from before must not give access to whom it was taken from."""
    with closing(open_service_store(space.database)) as service:
        made = service.tokens.create("laptop", "admin", **AUTHOR)
        file = backup(space.database, space.folder / "mine.sqlite").file
        service.tokens.revoke(made.entry.id, **AUTHOR)
    restore(space, file, force=True)
    with closing(open_service_store(space.database)) as service:
        (token,) = service.tokens.page().items
        assert token.revoked is not None


def test_a_writer_is_waited_for_and_then_refused(place, copy):
    space = Workspace(place)
    add_corpus(space)
    before = content(space.database)
    with closing(sqlite3.connect(space.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InUseError, match="another process is writing") as caught:
            restore(space, copy, force=True, patience_s=0.2)
        other.execute("ROLLBACK")
    assert "nothing was changed" in caught.value.hint
    assert content(space.database) == before


def test_one_at_a_time(space, copy):
    refused = pytest.raises(InUseError, match="another process is upgrading or restoring")
    with take_turn(space, patience_s=60), refused:
        restore(space, copy, patience_s=0.2)
    restore(space, copy)


def test_a_writer_beside_it_loses_nothing_halfway(place, copy, tmp_path):
    """What was there is saved whole, and the writer goes on or stops, but mixes nothing."""
    space, mark = Workspace(place), tmp_path / "mark"
    with running("write", space.ledger, mark):
        wait_for(mark.exists)
        done = restore(space, copy, force=True)
    whole(done.saved)
    with closing(sqlite3.connect(space.ledger)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("at", [1, 3])
def test_an_exception_halfway_changes_nothing(space, copy, monkeypatch, at):
    monkeypatch.setattr(module, "PAGES", 2)
    add_corpus(space)
    before = content(space.database)

    def track(items, doing, *, total=None, unit=""):
        for number, item in enumerate(items):
            if doing.startswith("restoring") and (number == at or "units" in doing):
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt):
        restore(space, copy, force=True, track=track)
    assert content(space.database) == before
    restore(space, copy, force=True)
    assert content(space.database) == content(copy)


def test_a_full_disk_changes_nothing(place, copy, monkeypatch):
    """The workspace is on the disk that is full: no page more than it has."""
    space, opened = Workspace(place), module._opened
    add_corpus(space)
    before = content(space.database)

    def full(live):
        connection = opened(live)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    with closing(open_service_store(copy)) as service:
        service.corpora.create("large", {"text": os.urandom(2_000_000).hex()}, **AUTHOR)
    with monkeypatch.context() as patch:
        patch.setattr(module, "_opened", full)
        with pytest.raises(InputError, match="no space left") as caught:
            restore(space, copy, force=True)
    assert caught.value.where == str(space.ledger)
    assert content(space.database) == before


def test_no_space_for_what_was_there_changes_nothing(space, copy, monkeypatch):
    add_corpus(space)
    before = content(space.database)

    def save(*_, **__):
        raise InputError("no space left on the disk", where="backups", hint="free some space")

    with monkeypatch.context() as patch:
        patch.setattr(module, "save", save)
        with pytest.raises(InputError, match="no space left"):
            restore(space, copy, force=True)
    assert content(space.database) == before


def test_a_kill_leaves_the_old_or_the_new_state(space, copy, tmp_path, kills):
    """Killed while rows are replaced, at random times: never anything in between."""
    add_corpus(space)
    old, new, chance = content(space.database), content(copy), random.Random(5)
    outcomes = {"old": 0, "new": 0}
    environment = {**os.environ, "ASSAY_DATABASE_URL": space.url}
    for number in range(max(3, kills.number // 2)):
        mark = tmp_path / f"mark{number}"
        words = ["restore", str(space.folder), str(copy), str(mark), "0.002"]
        process = subprocess.Popen([sys.executable, str(WORK), *words], env=environment)
        try:
            wait_for(lambda mark=mark, process=process: mark.exists() or process.poll() is not None)
            time.sleep(chance.uniform(0, 0.25))
        finally:
            process.kill()
            process.wait(timeout=60)
        found = content(space.database)
        assert found in (old, new)
        outcomes["old" if found == old else "new"] += 1
        if found == new:
            restore(space, max((space.folder / "backups").glob("before-*")), force=True)
            old = content(space.database)
    kills.log(f"restore: {outcomes['old']} old, {outcomes['new']} new")
