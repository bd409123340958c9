"""An index on disk changes wholly or not at all, and readers see one state of it."""

import sqlite3
import time

import numpy as np
import pytest

from assay.errors import InputError
from assay.records import Chunk, Document
from assay.workspace.index_store import open_store


def document(name, *, text="one\ntwo\n", stamp="s1", **more):
    return Document(id=name, text=text, content_hash=f"hash of {text}", stamp=stamp, **more)


def chunks(name, *texts, **more):
    return [
        Chunk(document=name, start=10 * n, end=10 * n + 9, lines=(n + 1, n + 2), text=text, **more)
        for n, text in enumerate(texts)
    ]


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "index", settings="a")


@pytest.fixture
def filled(store):
    with store.update() as update:
        update.put(document("a", path="src/a.py"), chunks("a", "one", "two", path="src/a.py"))
        update.put(document("b", path="src/b.py"), chunks("b", "three", path="src/b.py"))
        (update.lexical / "postings").write_text("one two three")
    return store


def look(store):
    snapshot = store.snapshot()
    found = [
        (snapshot.documents[code], text)
        for code, text in zip(snapshot.document_of, snapshot.texts(snapshot.rows), strict=True)
    ]
    snapshot.close()
    return found


ALL = [("a", "one"), ("a", "two"), ("b", "three")]


def test_by_hand(filled):
    snapshot = filled.snapshot()
    assert snapshot.generation == 1
    assert snapshot.rows.tolist() == [0, 1, 2]
    assert snapshot.document_of.tolist() == [0, 0, 1]
    assert snapshot.documents == ["a", "b"]
    assert snapshot.texts([2, 0, 2]) == ["three", "one", "three"]
    assert snapshot.chunk(1) == chunks("a", "one", "two", path="src/a.py")[1]
    assert (snapshot.lexical / "postings").read_text() == "one two three"
    assert snapshot.counts == {"documents": 2, "chunks": 3, "fallbacks": 0}
    snapshot.close()


def test_rows_grow_and_never_come_back(filled):
    with filled.update() as update:
        assert update.known() == {"a": "s1", "b": "s1"}
        assert update.remove(["b", "nobody"]) == [2]
        assert update.put(document("b"), chunks("b", "x", "y")) == [3, 4]
        assert update.remove(["a"]) == [0, 1]
    with filled.update() as update:
        assert update.put(document("c"), chunks("c", "z")) == [5]
    assert look(filled) == [("b", "x"), ("b", "y"), ("c", "z")]
