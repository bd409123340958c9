"""An index on disk changes wholly or not at all, and readers see one state of it."""

import os
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.records import Chunk, Document
from assay.records.filters import Filters
from assay.workspace.index import _sizes, _snapshot, _tables, generations
from assay.workspace.index._chunk_rows import deflate, inflate
from assay.workspace.index._field_index import FieldIndex
from assay.workspace.index.index_store import DocumentEntry, open_store


def document(name, *, text="one\ntwo\n", stamp="s1", **more):
    return Document(id=name, text=text, content_hash=f"hash of {text}", stamp=stamp, **more)


def chunks(name, *texts, **more):
    return [
        Chunk(document=name, start=10 * n, end=10 * n + 9, lines=(n + 1, n + 2), text=text, **more)
        for n, text in enumerate(texts)
    ]


def put(update, name, *texts, **more):
    return update.put(document(name, **more), chunks(name, *texts))


@pytest.fixture
def filled(store):
    with store.update() as update:
        update.put(document("a", path="src/a.py"), chunks("a", "one", "two", path="src/a.py"))
        update.put(document("b", path="src/b.py"), chunks("b", "three", path="src/b.py"))
        (update.lexical / "postings").write_text("one two three")
    return store


def look(store):
    with closing(store.snapshot()) as snapshot:
        codes, texts = snapshot.document_of, snapshot.texts(snapshot.rows)
        return [(snapshot.documents[code], text) for code, text in zip(codes, texts, strict=True)]


ALL = [("a", "one"), ("a", "two"), ("b", "three")]


def test_a_text_is_read_once_while_there_is_room(filled, monkeypatch):
    inflated = []

    def counted(data):
        inflated.append(inflate(data))
        return inflated[-1]

    monkeypatch.setattr(_snapshot, "inflate", counted)
    with closing(filled.snapshot()) as snapshot:
        assert snapshot.texts([2, 0]) == ["three", "one"]
        assert snapshot.texts([0, 1, 2]) == ["one", "two", "three"]
        assert sorted(inflated) == ["one", "three", "two"]
    monkeypatch.setattr(_snapshot, "RECENT_BYTES", 3)
    with closing(filled.snapshot()) as snapshot:
        for _ in range(2):
            assert snapshot.texts([0, 2]) == ["one", "three"]
    assert sorted(inflated[3:]) == ["one", "three", "three"]  # three never fits


def test_what_is_known_of_documents_and_what_is_really_stored(store):
    with store.update() as update:
        odd = document("b\udcff", text="x", path="ü.py", language="python")
        update.put(odd, [], fallback=True)
        rows = put(update, "a", "one", "two")
        update.vectors(rows[:1], [b"1234"])
    with closing(store.snapshot()) as snapshot:
        assert snapshot.held() == [
            DocumentEntry("b\udcff", "ü.py", "python", "hash of x", True, 0),
            DocumentEntry("a", "", "", "hash of one\ntwo\n", False, 2),
        ]
        assert snapshot.stored == {"chunks": 2, "texts": 2, "vectors": 1}


def test_by_hand(filled):
    with closing(filled.snapshot()) as snapshot:
        assert snapshot.generation == 1
        assert snapshot.rows.tolist() == [0, 1, 2]
        assert snapshot.document_of.tolist() == [0, 0, 1]
        assert snapshot.documents == ["a", "b"]
        assert snapshot.texts([2, 0, 2]) == ["three", "one", "three"]
        assert snapshot.chunks([1])[0] == chunks("a", "one", "two", path="src/a.py")[1]
        assert (snapshot.lexical / "postings").read_text() == "one two three"
        assert snapshot.counts == {"documents": 2, "chunks": 3, "fallbacks": 0}
    assert filled.settings == "a"
    assert filled.generation == 1


def test_rows_grow_and_never_come_back(filled):
    with filled.update() as update:
        assert update.known() == {"a": "s1", "b": "s1"}
        assert update.remove(["b", "nobody"]) == [2]
        assert put(update, "b", "x", "y") == [3, 4]
        assert update.remove(["a"]) == [0, 1]
    with filled.update() as update:
        assert put(update, "c", "z") == [5]
        assert update.remove(["c", "b"]) == [5, 3, 4]
    with filled.update() as update:
        assert put(update, "d", "z") == [6]
    assert look(filled) == [("d", "z")]


def test_a_document_without_chunks_is_known(store):
    with store.update() as update:
        assert put(update, "empty") == []
        put(update, "a", "one")
        put(update, "empty too")
    with closing(store.snapshot()) as snapshot:
        assert snapshot.documents == ["empty", "a", "empty too"]
        assert snapshot.rows.tolist() == [0]
        assert snapshot.document_of.tolist() == [1]
        assert snapshot.rows_of("empty") == []


def test_an_empty_index(store):
    with store.update() as update:
        assert update.known() == {}
        assert not update.holds(document("a"))
        assert update.without_vectors() == list(update.chunks()) == []
    with closing(store.snapshot()) as snapshot:
        assert snapshot.rows.tolist() == snapshot.document_of.tolist() == snapshot.documents == []
        assert [part.shape for part in snapshot.vectors()] == [(0,), (0, 0)]
        assert snapshot.chunks([]) == snapshot.texts([]) == snapshot.find("x") == []


def test_what_a_chunk_knows_comes_back(store):
    chunk = Chunk(
        document="a",
        start=1,
        end=2**40,
        lines=(3, 4),
        text='x = "é\0\r\n🙂"',
        path="other/path",
        title="Under › a heading",
        symbols=("A.b", 'q"uo\nte', "é"),
        kind="function",
    )
    bare = Chunk(document="a", start=0, end=0, lines=(1, 1), text="")
    with store.update() as update:
        rows = update.put(document("a", path="p", title="T"), [chunk, bare])
        assert dict(update.chunks()) == dict(zip(rows, [chunk, bare], strict=True))
        assert list(update.chunks([np.int64(1)])) == [(1, bare)]
    with closing(store.snapshot()) as snapshot:
        assert snapshot.chunks(np.array([1, 0])) == [bare, chunk]
        with pytest.raises(InputError, match="missing") as caught:
            snapshot.chunks([7])
    assert caught.value.where == str(store.folder)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "it's",
        'a"b',
        "a\nb",
        "a\0b",
        "a\\b",
        "日本/é.py",
        "e\u0301",
        "\udcff.txt",
        "CON",
        "x" * 9000,
    ],
)
def test_strange_ids(store, name):
    with store.update() as update:
        update.put(document(name, path=name, title=name), chunks(name, name, path=name))
        update.put(document(name + "!"), chunks(name + "!", "other"))
    with store.update() as update:
        update.restamp({name: "s2"})
        assert update.known() == {name: "s2", name + "!": "s1"}
        assert update.holds(document(name, path=name, title=name))
        assert not update.holds(document(name, path=name, title=name + "?"))
    with closing(store.snapshot()) as snapshot:
        assert (
            snapshot.documents[0]
            == snapshot.chunks([0])[0].document
            == snapshot.chunks([0])[0].path
            == name
        )
        assert snapshot.chunks([0])[0].text == name
        assert snapshot.rows_of(name) == [0]
    with store.update() as update:
        assert update.remove([name]) == [0]
    assert look(store) == [(name + "!", "other")]


@pytest.mark.parametrize("about", ["text", "path", "title", "language"])
def test_a_document_is_held_with_all_that_its_chunks_depend_on(store, about):
    held = document("a", text="x", path="p", title="T ", language="python")
    with store.update() as update:
        update.put(held, [])
        assert update.holds(replace(held, stamp="another"))
        assert not update.holds(document("b", text="x", path="p", title="T ", language="python"))
        same = {"text": "x", "path": "p", "title": "T ", "language": "python"}
        assert update.holds(document("a", **same))
        assert not update.holds(document("a", **same | {about: "new"}))
        assert not update.holds(replace(held, content_hash=""))


def test_a_document_without_a_hash_is_never_held(store):
    with store.update() as update:
        update.put(replace(document("a"), content_hash=""), [])
        assert not update.holds(replace(document("a"), content_hash=""))


def test_two_documents_of_one_id_are_refused(filled):
    with (
        pytest.raises(InputError, match=r'^src/z: .*"a"\n  hint: '),
        filled.update() as update,
    ):
        put(update, "a", "again", path="src/z")
    assert look(filled) == ALL


def test_chunks_of_another_document_are_a_mistake(store):
    with pytest.raises(ValueError, match="not chunks of"), store.update() as update:
        update.put(document("a"), chunks("b", "x"))


def test_counts_follow_the_documents(store):
    with store.update() as update:
        update.put(document("a"), chunks("a", "x", "y"), fallback=True)
        update.put(document("b"), chunks("b", "x"), fallback=True)
        update.counts(tokens=12, cut=1)
    with store.update() as update:
        update.remove(["b"])
        update.counts(tokens=8)
        totals = update.totals()
    assert totals == {"tokens": 8, "cut": 1, "documents": 1, "chunks": 2, "fallbacks": 1}
    with closing(store.snapshot()) as snapshot:
        assert snapshot.counts == totals


def test_vectors(filled):
    packed = np.arange(8, dtype=np.uint8).reshape(2, 4)
    with filled.update() as update:
        update.vectors(np.array([2, 0]), packed)
        assert update.without_vectors() == [1]
        update.vectors([1], [b"abcd"])
    with closing(filled.snapshot()) as snapshot:
        rows, data = snapshot.vectors()
        assert rows.tolist() == [0, 1, 2]
        assert data.tolist() == [[4, 5, 6, 7], list(b"abcd"), [0, 1, 2, 3]]
    with filled.update() as update:
        update.remove(["a"])
        assert update.without_vectors() == []
    with closing(filled.snapshot()) as snapshot:
        assert snapshot.vectors()[0].tolist() == [2]
    with pytest.raises(ValueError, match="shorter"), filled.update() as update:
        update.vectors([1, 2], packed[:1])


def test_rows_of_a_path_and_near_misses(filled):
    with closing(filled.snapshot()) as snapshot:
        assert snapshot.rows_of("a") == snapshot.rows_of("src/a.py") == [0, 1]
        assert snapshot.rows_of("./src/b.py") == snapshot.rows_of("src\\b.py") == [2]
        assert snapshot.rows_of("src") == []
        assert snapshot.find("b.py")[0] == "src/b.py"
        assert snapshot.find("/home/me/project/src/a.py")[0] == "src/a.py"
        assert snapshot.find("lib/B.PY")[0] == "src/b.py"
        assert snapshot.find("src/aa.py")[0] == "src/a.py"
        assert snapshot.find("zebra") == []


def interrupted(store, stop):
    with store.update() as update:
        update.remove(["a"])
        put(update, "c", "new")
        (update.lexical / "postings").write_text("changed")
        raise stop


@pytest.mark.parametrize("stop", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_nothing_of_an_interrupted_update_stays(filled, stop):
    with pytest.raises(stop):
        interrupted(filled, stop)
    assert look(filled) == ALL
    assert filled.generation == 1
    assert sorted(each.name for each in filled.folder.glob("lexical-*")) == ["lexical-1"]
    assert not (filled.folder / "writer.txt").exists()
    with closing(filled.snapshot()) as snapshot:
        assert (snapshot.lexical / "postings").read_text() == "one two three"
    with filled.update() as update:
        put(update, "c", "new")
    assert look(filled) == [*ALL, ("c", "new")]


def test_an_interruption_after_the_commit_takes_nothing_back(filled, monkeypatch):
    """Ctrl-C may come between the commit and its return."""
    from assay.workspace.index._update import Update

    commit = Update.commit

    def late(self):
        commit(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Update, "commit", late)
    with pytest.raises(KeyboardInterrupt):
        twice(filled)
    with closing(filled.snapshot()) as snapshot:
        assert snapshot.generation == 2
        assert (snapshot.lexical / "postings").read_text() == "second"


def test_an_update_that_changes_nothing_is_no_generation(filled):
    with filled.update() as update:
        update.known()
        update.remove(["nobody"])
        update.restamp({"a": "s9"})
        assert update.has_lexical
    assert filled.generation == 1
    with filled.update() as update:
        assert update.known()["a"] == "s9"


def test_readers_see_the_old_state_wholly(filled):
    before = filled.snapshot()
    with filled.update() as update:
        update.remove(["a"])
        put(update, "c", "new")
        (update.lexical / "postings").write_text("changed")
        assert look(filled) == ALL
        during = filled.snapshot()
    after = filled.snapshot()
    for old in (before, during):
        assert old.texts(old.rows) == ["one", "two", "three"]
        assert old.documents == ["a", "b"]
        assert (old.lexical / "postings").read_text() == "one two three"
    assert after.texts(after.rows) == ["three", "new"]
    assert (after.lexical / "postings").read_text() == "changed"
    for snapshot in (before, during, after):
        snapshot.close()


def test_engine_files_are_shared_or_copied(filled):
    old = filled.folder / "lexical-1"
    (old / "deep").mkdir()
    (old / "deep" / "meta.json").write_text("old")
    (old / "writer.lock").write_text("")
    with filled.update(copy=lambda name: name == "meta.json") as update:
        new = update.lexical
        assert (new / "postings").samefile(old / "postings")
        assert not (new / "deep" / "meta.json").samefile(old / "deep" / "meta.json")
        assert not (new / "writer.lock").exists()
        (new / "deep" / "meta.json").write_text("new")
        assert update.lexical == new
    assert (old / "deep" / "meta.json").read_text() == "old"
    assert (filled.folder / "lexical-2" / "deep" / "meta.json").read_text() == "new"
    with filled.update() as update:  # without a word all is copied
        assert not (update.lexical / "postings").samefile(new / "postings")
    assert not old.exists()


def test_where_links_are_unknown_files_are_copied(filled, monkeypatch):
    def unknown(self, target):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("pathlib.Path.hardlink_to", unknown)
    with filled.update(copy=lambda name: False) as update:
        assert (update.lexical / "postings").read_text() == "one two three"
        assert (update.lexical / "postings").stat().st_nlink == 1


def test_engine_files_come_along_without_being_asked_for(filled):
    with filled.update() as update:
        put(update, "c", "x")
    with closing(filled.snapshot()) as snapshot:
        assert snapshot.generation == 2
        assert (snapshot.lexical / "postings").read_text() == "one two three"


def test_the_engine_may_begin_anew(filled):
    with filled.update() as update:
        (update.lexical / "more").write_text("x")
        fresh = update.fresh_lexical()
        assert list(fresh.iterdir()) == []
        assert update.lexical == fresh
        assert update.has_lexical
        (fresh / "postings").write_text("new")
    with closing(filled.snapshot()) as snapshot:
        assert [each.name for each in snapshot.lexical.iterdir()] == ["postings"]


def test_an_index_without_engine_has_no_folder(store):
    with store.update() as update:
        assert not update.has_lexical
        put(update, "a", "x")
    assert not list(store.folder.glob("lexical-*"))


def test_leftovers_of_killed_writers_are_swept(filled):
    for name in ("lexical-2", "lexical-77"):
        (filled.folder / name).mkdir()
        (filled.folder / name / "half").write_text("x")
    (filled.folder / "lexical-notes").mkdir()
    with filled.update() as update:
        assert [each.name for each in update.lexical.iterdir()] == ["postings"]
    names = sorted(each.name for each in filled.folder.glob("lexical-*"))
    assert names == ["lexical-1", "lexical-2", "lexical-notes"]


def test_what_readers_work_out_goes_with_its_generation(filled):
    with closing(filled.snapshot()) as snapshot:
        before = filled.sizes()
        snapshot.derived.mkdir()
        (snapshot.derived / "graph").write_bytes(bytes(1000))
        after = filled.sizes()
    assert after == {**before, "vector_bytes": before["vector_bytes"] + 1000}
    with filled.update() as update:
        update.restamp({"a": "s2"})
    with closing(filled.snapshot()) as same:
        assert (same.derived / "graph").exists()
    twice(filled)
    with closing(filled.snapshot()) as later:
        assert later.derived != same.derived
        assert not later.derived.exists()
    assert not same.derived.exists()


def test_the_fingerprint_is_that_of_the_content(store, place):
    def put_all(into, *documents):
        with into.update() as update:
            for each in documents:
                update.put(each, [])
        with closing(into.snapshot()) as snapshot:
            return snapshot.fingerprint

    one, two = document("a", title="T"), document("b", path="x", stamp="s")
    first = put_all(store, one, two)
    assert first == put_all(open_store(place / "2", settings="b"), document("b", path="x"), one)
    others = [[one], [document("a"), two], [document("a", title="T", text="x"), two]]
    others += [[one, document("b", path="y")], [one, document("b", path="x", language="c")]]
    found = [
        put_all(open_store(place / f"o{n}", settings="a"), *each) for n, each in enumerate(others)
    ]
    assert len({first, *found}) == 6


def test_other_settings_are_never_read_and_begin_anew(filled):
    other = open_store(filled.folder, settings="b")
    with pytest.raises(InputError, match=r"other settings.*\n  hint: "):
        other.snapshot()
    with pytest.raises(RuntimeError):
        interrupted(other, RuntimeError)
    assert look(filled) == ALL
    with other.update() as update:
        assert not update.has_lexical
        assert put(update, "z", "last") == [3]
        assert list(update.lexical.iterdir()) == []
        assert look(filled) == ALL
    assert look(other) == [("z", "last")]
    with pytest.raises(InputError, match="other settings"):
        filled.snapshot()


def test_another_version_is_never_read_and_begins_anew(filled, monkeypatch):
    monkeypatch.setattr(_tables, "FORMAT", _tables.FORMAT + 1)
    with pytest.raises(InputError, match="another version"):
        filled.snapshot()
    with filled.update() as update:
        assert put(update, "z", "last") == [3]
    assert look(filled) == [("z", "last")]


FORMER = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
  code INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, path BLOB NOT NULL, title BLOB NOT NULL,
  language BLOB NOT NULL, content_hash TEXT NOT NULL, stamp TEXT NOT NULL,
  fallback INTEGER NOT NULL, first_row INTEGER NOT NULL, chunks INTEGER NOT NULL
);
CREATE TABLE chunks (
  row INTEGER PRIMARY KEY, document INTEGER NOT NULL,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, kind TEXT NOT NULL,
  path BLOB, title BLOB, symbols BLOB
);
CREATE TABLE texts (row INTEGER PRIMARY KEY, deflated BLOB NOT NULL);
CREATE TABLE vectors (row INTEGER PRIMARY KEY, packed BLOB NOT NULL);
PRAGMA user_version=2
"""  # the tables of format 2, as published


def written_in_format_2(store, settings):
    """Write what the version before metadata wrote: two documents with a vector each."""
    store.folder.mkdir(parents=True)
    with closing(sqlite3.connect(store.folder / "index.sqlite")) as connection:
        connection.executescript(FORMER)
        facts = {"settings": settings, "generation": 1, "next_row": 2, "lexical": "{}"}
        connection.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        for at, (name, spoken) in enumerate([("a.md", "markdown"), ("b.py", "python")]):
            about = [name.encode(), name.encode(), b"", spoken.encode(), "hash of one", "s1"]
            connection.execute(
                "INSERT INTO documents VALUES (?,?,?,?,?,?,?,0,?,1)", (at + 1, *about, at)
            )
            place = (at, at + 1, 0, 3, 1, 1, "text", None, None, None)
            connection.execute("INSERT INTO chunks VALUES (?,?,?,?,?,?,?,?,?,?)", place)
            connection.execute("INSERT INTO texts VALUES (?,?)", (at, deflate("one")))
            connection.execute("INSERT INTO vectors VALUES (?,?)", (at, bytes([at])))
        connection.commit()


def test_an_index_of_the_format_before_keeps_its_chunks_and_vectors(store):
    written_in_format_2(store, store._wanted)
    with pytest.raises(InputError, match="another version"):
        store.snapshot()  # until a writer has brought it up to date

    with store.update() as update:
        assert update.known() == {"a.md": "", "b.py": "s1"}  # front matter was not read before
        assert update.holds(document("b.py", text="one", path="b.py", language="python"))
        assert update.without_vectors() == []
        put(update, "c", "three", metadata={"year": 2020})

    assert look(store) == [("a.md", "one"), ("b.py", "one"), ("c", "three")]
    with closing(store.snapshot()) as snapshot:
        assert snapshot.chunks([0])[0].page == 0
        told = snapshot.metadata(["b.py", "c"])
        assert told == [{"language": "python"}, {"year": 2020}]


def test_metadata_and_pages_are_kept(store):
    about = {"year": 2020, "tags": ["a", "ü"]}
    with store.update() as update:
        update.put(document("a", metadata=about), chunks("a", "one", page=12))
        put(update, "b", "two")
    with closing(store.snapshot()) as snapshot:
        assert snapshot.metadata(["b", "a"]) == [{}, about]
        assert [chunk.page for chunk in snapshot.chunks([0, 1])] == [12, 0]
        assert snapshot.holds(document("a", metadata=dict(reversed(about.items()))))
        assert not snapshot.holds(document("a", metadata={"year": 2021}))
        assert not snapshot.holds(document("a"))
        assert not snapshot.holds(document("b", converter="pdf 2"))


def test_metadata_and_converters_are_part_of_the_content_where_they_are(store, place):
    names = set()
    for at, more in enumerate([{}, {"metadata": {"a": 1}}, {"converter": "pdf 1"}, {"title": "t"}]):
        other = open_store(place / str(at), settings="same")
        with other.update() as update:
            put(update, "a", "one", **more)
        with closing(other.snapshot()) as snapshot:
            names.add(snapshot.fingerprint)
    assert len(names) == 4


@given(
    st.lists(
        st.dictionaries(st.sampled_from("abc"), st.integers(0, 3) | st.lists(st.booleans())),
        max_size=12,
    ),
    st.lists(
        st.tuples(
            st.sampled_from("abcd"),
            st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
            st.sampled_from(["0", "2", "true"]),
        ),
        max_size=3,
    ),
)
def test_rows_that_match_are_those_of_documents_that_match_one_by_one(documents, conditions):
    filters = Filters.of([f"{name}{sign}{value}" for name, sign, value in conditions])

    found = FieldIndex(documents).match(filters)

    assert found.tolist() == [filters.match(fields) for fields in documents]


def test_files_that_could_not_be_converted_are_remembered(filled):
    assert filled.snapshot().failures() == {}
    for failures in (
        {"ä.pdf": "12-7 pdf 1!encrypted", "b.pdf": "s!damaged"},
        {"b.pdf": "s!scanned"},
    ):
        with filled.update() as update:
            update.keep_failures(failures)
            assert update.failures() == failures
        with closing(filled.snapshot()) as snapshot:
            assert snapshot.failures() == failures
            assert snapshot.known() == {"a": "s1", "b": "s1"}


def test_the_rows_that_filters_let_through(store):
    with store.update() as update:
        put(update, "a", "one", "two", metadata={"year": 2019}, path="a.md", language="markdown")
        put(update, "b", metadata={"year": 2020})  # without text
        put(update, "c", "three", metadata={"year": "2021"}, title="T")
        put(update, "d", "four", "five")
    with closing(store.snapshot()) as snapshot:

        def rows(*conditions):
            return snapshot.matching(Filters.of(conditions)).tolist()

        assert rows("year>=2020") == [2]
        assert rows("year!=2021") == [0, 1, 3, 4]
        assert rows("file_type=md", "language=markdown") == [0, 1]
        assert (rows("title=T"), rows("path=a.md"), rows("year>3000")) == ([2], [0, 1], [])
        assert "did you mean" in snapshot.fields.explain(Filters.of("yaer=2020"))
        assert '"2021"' in snapshot.fields.explain(Filters.of("year=1999"))


def test_an_index_that_is_not_there(store, place):
    assert (store.settings, store.generation) == ("", 0)
    with pytest.raises(InputError, match="`assay index`"):
        store.snapshot()
    with pytest.raises(InputError, match="`assay index`"):
        store.sizes()
    assert list(place.iterdir()) == []  # looking makes nothing
    store.folder.mkdir()
    sqlite3.connect(store.folder / "index.sqlite").close()
    with pytest.raises(InputError, match="`assay index`"):
        store.snapshot()


def test_writers_wait_for_each_other_and_say_for_whom(filled, snapshot):
    told = []
    started = time.monotonic()
    impatient = filled.update(waiting=told.append, patience_s=0.2)
    with filled.update(), pytest.raises(InputError) as error, impatient:
        pass  # pragma: no cover
    assert time.monotonic() - started >= 0.2
    assert told == [f"waiting: {error.value.problem}"]
    assert f"process {os.getpid()} on " in told[0]
    assert error.value.where == str(filled.folder)
    snapshot(error.value.hint)


def test_a_waiting_writer_goes_on_after_the_other(filled):
    waits, done = threading.Event(), []

    def second():
        with filled.update(waiting=lambda text: waits.set()) as update:
            done.append(sorted(update.known()))

    with filled.update() as update:
        thread = threading.Thread(target=second)
        thread.start()
        assert waits.wait(20)
        put(update, "c", "x")
        assert done == []
    thread.join()
    assert done == [["a", "b", "c"]]


class Opened:
    """Stands in for an engine that opens, or makes, the files of a folder."""

    def __init__(self, snapshot, *, before=lambda: None):
        self.snapshot, self.closed = snapshot, False
        before()
        snapshot.lexical.mkdir(exist_ok=True)
        self.seen = [each.read_text() for each in snapshot.lexical.iterdir()]

    def close(self):
        self.closed = True
        self.snapshot.close()


def twice(store):
    """Change an index twice: the second writer removes the files that were current before."""
    for text in ("second", "third"):
        with store.update() as update:
            (update.lexical / "postings").write_text(text)


def test_a_reader_whose_folder_vanishes_opens_the_next(filled):
    all_opened = []

    def opening(snapshot):
        before = (lambda: twice(filled)) if not all_opened else lambda: None
        all_opened.append(Opened(snapshot, before=before))
        return all_opened[-1]

    opened = filled.read(opening)
    assert [each.seen for each in all_opened] == [[], ["third"]]
    assert [each.closed for each in all_opened] == [True, False]
    opened.close()


def test_a_reader_that_fails_is_asked_again_only_if_the_index_changed(filled):
    asked = []

    def opening(snapshot):
        asked.append(snapshot.generation)
        if len(asked) == 1:
            twice(filled)
        if len(asked) < 3:
            (snapshot.lexical / "nothing").read_text()
        return Opened(snapshot)  # pragma: no cover

    with pytest.raises(FileNotFoundError):
        filled.read(opening)
    assert asked == [1, 3]


def test_an_index_that_never_rests(filled, snapshot):
    with pytest.raises(InputError) as caught:
        filled.read(lambda found: Opened(found, before=lambda: twice(filled)))
    snapshot([caught.value.problem, caught.value.hint])


def test_open_files_outlive_their_folder(filled):
    with closing(filled.snapshot()) as snapshot, (snapshot.lexical / "postings").open() as postings:
        twice(filled)
        assert not snapshot.lexical.exists()
        assert postings.read() == "one two three"
        assert snapshot.texts([0]) == ["one"]


def test_sizes(store, monkeypatch):
    texts = [f"{n} " + os.urandom(500).hex() for n in range(200)]
    with store.update() as update:
        rows = put(update, "a", *texts)
        update.vectors(rows, np.frombuffer(os.urandom(200 * 388), np.uint8).reshape(200, 388))
        (update.lexical / "deep").mkdir()
        (update.lexical / "deep" / "postings").write_bytes(bytes(12345))
    sizes = store.sizes()
    assert sizes["lexical_bytes"] == 12345
    assert 200 * 388 <= sizes["vector_bytes"] < 1.2 * 200 * 388
    assert 200 * 500 <= sizes["text_bytes"] < 200 * 800
    on_disk = (store.folder / "index.sqlite").stat().st_size
    assert sum(sizes.values()) == on_disk + 12345
    monkeypatch.setattr(_sizes, "_PAGES", "SELECT pgsize FROM no_dbstat_here WHERE name = ?")
    other = store.sizes()
    assert sum(other.values()) == on_disk + 12345
    for name in ("vector_bytes", "text_bytes"):
        assert other[name] == pytest.approx(sizes[name], rel=0.25)


def test_a_snapshot_serves_many_threads(filled):
    right = []
    with closing(filled.snapshot()) as snapshot:

        def work():
            seen = [snapshot.texts([2, 1]) == ["three", "two"] for _ in range(50)]
            right.append(all(seen) and len(snapshot.rows) == 3)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert right == [True] * 4


def test_many_rows_open_without_their_texts(store):
    """100,000 chunks: measured in processor time, a third of it on an idle machine."""
    with store.update() as update:
        for name in range(1000):
            update.put(document(str(name)), chunks(str(name), *["x"] * 100))
        started = time.thread_time()
        rows = put(update, "last", "y")
        assert time.thread_time() - started < 0.03
    assert rows == [100_000]
    started = time.thread_time()
    with closing(store.snapshot()) as snapshot:
        assert len(snapshot.rows) == len(snapshot.document_of) == 100_001
        assert time.thread_time() - started < 0.1
        assert snapshot.document_of[[99, 100, -1]].tolist() == [0, 1, 1000]
        assert snapshot.texts([100_000]) == ["y"]


def test_folder_names_suit_every_system(filled):
    for each in filled.folder.rglob("*"):
        assert set(each.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")
    assert generations.folder_of(filled.folder, 12).name == "lexical-12"
    assert (filled.folder / ".gitignore").read_text() == "*\n"
