"""What the disk refuses is said: what, where, what next; and the old index stays."""

import errno
import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from assay.errors import InputError
from assay.records import Chunk, Document
from assay.workspace.disk.faults import explained
from assay.workspace.index import index_store
from assay.workspace.index.index_store import open_store


def fill(store, name, text):
    with store.update() as update:
        chunk = Chunk(document=name, start=0, end=len(text), lines=(1, 1), text=text)
        update.put(Document(id=name), [chunk])
        (update.lexical / "postings").write_text(name)


CLOSED = "denied|readonly|unable to open"  # what the system or SQLite says of it


def texts(store):
    with closing(store.snapshot()) as snapshot:
        return snapshot.texts(snapshot.rows)


def test_a_full_disk(store, monkeypatch):
    """SQLite is told that there are no more pages, and reports what it reports of a full disk."""
    fill(store, "a", "one")

    def nearly_full(path, **more):
        connection = writing(path, **more)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages + 2}")
        return connection

    writing = index_store.writing
    with monkeypatch.context() as patch:
        patch.setattr(index_store, "writing", nearly_full)
        with pytest.raises(InputError, match=r"\(database or disk") as error:
            fill(store, "b", os.urandom(50_000).hex())
    assert error.value.where == str(store.folder)
    assert "space" in error.value.hint
    assert texts(store) == ["one"]
    fill(store, "c", "two")
    assert texts(store) == ["one", "two"]


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 300, b"SQLite format 3\0" + b"x" * 9000]
)
def test_a_damaged_index(store, content):
    store.folder.mkdir()
    (store.folder / "index.sqlite").write_bytes(content)
    for act in (store.snapshot, store.sizes, lambda: fill(store, "a", "x"), lambda: store.settings):
        with pytest.raises(InputError, match=r"is damaged .*\n  hint: delete"):
            act()
    shutil.rmtree(store.folder)
    fill(store, "a", "x")
    assert texts(store) == ["x"]


def test_damage_that_shows_later(store):
    for name in range(50):
        fill(store, str(name), os.urandom(2000).hex())
    path = store.folder / "index.sqlite"
    data = bytearray(path.read_bytes())
    data[8192 * 4 :] = bytes(len(data) - 8192 * 4)
    path.write_bytes(data)
    with pytest.raises(InputError, match="is damaged"):
        texts(store)


def test_a_file_where_the_folder_should_be(place):
    (place / "file").write_text("")
    for folder in (place / "file", place / "file" / "below"):
        store = open_store(folder, settings="a")
        with pytest.raises(InputError, match=r"file.*folder.*\n  hint: .*--workspace"):
            fill(store, "a", "x")


@pytest.mark.skipif(os.name == "nt", reason="permissions of folders are another thing there")
def test_a_folder_that_may_not_be_written_is_still_read(store, place, nobody):
    fill(store, "a", "one")
    for each in (*store.folder.rglob("*"), store.folder):
        each.chmod(0o555 if each.is_dir() else 0o444)
    place.chmod(0o755)
    with nobody():
        assert texts(store) == ["one"]
        assert store.sizes()["text_bytes"] > 0
        assert store.generation == 1
        with pytest.raises(InputError, match=CLOSED) as error:
            fill(store, "b", "two")
        with pytest.raises(InputError, match=CLOSED):
            fill(open_store(place / "other", settings="a"), "b", "two")
    store.folder.chmod(0o755)
    assert error.value.where == str(store.folder)
    assert "--workspace" in error.value.hint


@pytest.mark.parametrize("error", [sqlite3.ProgrammingError("x"), sqlite3.InterfaceError("x")])
def test_our_own_mistakes_are_not_dressed_up(place, error):
    with pytest.raises(type(error)), explained(place):
        raise error


@pytest.mark.parametrize(
    "number", ["ENOSPC", "EMFILE", "EROFS", "ENOENT", "ENOTDIR", "ENAMETOOLONG", "EIO"]
)
def test_what_the_system_says(place, number, snapshot):
    with pytest.raises(InputError) as error, explained(place):
        raise OSError(getattr(errno, number), "reason")
    assert error.value.where == str(place)
    assert "(reason)" in error.value.problem
    snapshot([error.value.problem, error.value.hint])
