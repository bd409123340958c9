"""A disk that is full is one message about a place, whichever engine writes."""

import errno
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from assay.engines.lexical import _fts5
from assay.engines.lexical._write_failure import write_failure, writing
from assay.engines.lexical.fts5 import fts5
from assay.engines.lexical.postings import postings
from assay.engines.lexical.tantivy import tantivy
from assay.errors import InputError
from assay.records import Chunk

CHUNK = Chunk("d", 0, 5, (1, 1), "apple")
FULL = ValueError("An IO error occurred: 'No space left on device (os error 28)'")  # of tantivy


class Broken:
    """A writer that every step of fails."""

    def __init__(self, error):
        self.error = error

    def __getattr__(self, name):
        def fail(*_given):
            raise self.error

        return fail


@pytest.mark.parametrize(
    "step",
    [
        lambda index: index.add([1], [CHUNK]),
        lambda index: index.remove([0]),
        lambda index: index.commit(),
    ],
    ids=["add", "remove", "commit"],
)
@pytest.mark.parametrize(
    ("engine", "error"),
    [(tantivy, FULL), (fts5, sqlite3.OperationalError("database or disk is full"))],
    ids=["tantivy", "fts5"],
)
def test_a_full_disk_says_what_where_and_what_next(tmp_path, snapshot, engine, error, step):
    index = engine(tmp_path)
    index._writer = Broken(error)
    with pytest.raises(InputError) as caught:
        step(index)
    assert str(tmp_path) in caught.value.where
    snapshot(caught.value)


def test_a_disk_that_is_full_leaves_the_postings_as_they_were(tmp_path, monkeypatch):
    index = postings(tmp_path)
    index.add([0], [CHUNK])
    index.commit()
    index.add([1], [CHUNK])

    def full(*_given):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as at:
        at.setattr(os, "fsync", full)
        with pytest.raises(InputError, match="no space") as caught:
            index.commit()
    assert caught.value.where == str(tmp_path)
    assert postings(tmp_path).documents == index.documents == 1
    index.commit()  # once there is space
    assert postings(tmp_path).documents == index.documents == 2


@pytest.mark.parametrize("engine", [tantivy, fts5, postings], ids=["tantivy", "fts5", "postings"])
def test_an_index_that_cannot_be_begun(tmp_path, monkeypatch, engine):
    def full(*_given, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="no space"):
        engine(tmp_path / "index")


def test_a_file_that_cannot_be_copied(tmp_path, monkeypatch):
    index = fts5(tmp_path / "one")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "chunks.sqlite").hardlink_to(tmp_path / "one" / "chunks.sqlite")

    def full(*_given):
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(InputError, match="no space"):
        _fts5.open_writer(tmp_path / "one")
    index.close()


def test_what_else_keeps_an_engine_from_writing(tmp_path, snapshot):
    told = write_failure(tmp_path, OSError(errno.EIO, "Input/output error"))
    snapshot(told)
    with pytest.raises(KeyError), writing(tmp_path):  # a mistake of ours
        raise KeyError


def test_a_thread_that_panics_is_told_too(tmp_path):
    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(InputError, match="cannot be written"), writing(tmp_path):
        raise panic("a thread ended")
