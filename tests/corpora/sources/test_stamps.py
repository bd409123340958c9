"""What did not change is not read again."""

import os
import subprocess

import pytest

from assay.corpora.sources import folder as folder_module
from assay.corpora.sources.folder import GRAIN, folder
from assay.corpora.sources.git import git
from assay.corpora.sources.inline import inline
from assay.corpora.sources.jsonl import jsonl
from assay.corpora.sources.stdlib import stdlib
from assay.records import Document


def stamps(corpus):
    return {document.id: document.stamp for document in corpus.documents()}


def texts(corpus, known):
    return {document.id: document.text for document in corpus.documents(known=known)}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Two files; the clock of the scan is moved on, so that they are old enough to be stamped."""
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "b.md").write_text("b\n")
    real = folder_module.time.time_ns
    monkeypatch.setattr(folder_module.time, "time_ns", lambda: real() + 2 * GRAIN)
    return tmp_path


def test_a_folder_opens_nothing_that_it_knows(place, monkeypatch):
    known = stamps(folder(place))
    assert all(known.values())
    assert len(set(known.values())) == 2

    def refuse(path, *_):
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr(folder_module.os, "open", refuse)
    first, second = folder(place).documents(known=known)
    assert (first.id, first.text, first.stamp, first.language) == (
        "a.py",
        "",
        known["a.py"],
        "",
    )
    assert (first.path, first.file_name, first.size_bytes) == ("a.py", "a.py", 6)
    assert first.uri == (place / "a.py").as_uri()
    assert second.content_hash == ""


def test_a_file_that_changed_is_read(place):
    known = stamps(folder(place))
    assert texts(folder(place), known) == {"a.py": "", "b.md": ""}
    about = (place / "a.py").stat()
    (place / "a.py").write_text("a = 2\n")  # the same size
    os.utime(place / "a.py", ns=(about.st_atime_ns, about.st_mtime_ns))  # and the same time
    assert texts(folder(place), known) == {"a.py": "a = 2\n", "b.md": ""}
    (place / "b.md").unlink()
    assert list(texts(folder(place), known)) == ["a.py"]
    (place / "c").write_text("new")
    assert texts(folder(place), known) == {"a.py": "a = 2\n", "c": "new"}


def test_another_file_of_the_same_name_is_read(place):
    known = stamps(folder(place))
    about = (place / "a.py").stat()
    (place / "other").write_text("a = 3\n")
    os.utime(place / "other", ns=(about.st_atime_ns, about.st_mtime_ns))
    (place / "other").rename(place / "a.py")
    assert texts(folder(place), known)["a.py"] == "a = 3\n"


def test_a_file_that_has_just_changed_has_no_stamp(tmp_path):
    (tmp_path / "a").write_text("x")
    assert stamps(folder(tmp_path)) == {"a": ""}
    assert texts(folder(tmp_path), {"a": ""}) == {"a": "x"}


def test_known_files_obey_the_limits_of_now(place):
    known = stamps(folder(place))
    corpus = folder(place, max_file_size=3, exclude=["b.md"])
    assert texts(corpus, known) == {}
    assert corpus.skipped == {"too_large": 1}


def test_a_link_in_place_of_a_known_file_is_none(place):
    known = stamps(folder(place))
    (place / "a.py").unlink()
    (place / "a.py").symlink_to(place / "b.md")
    assert texts(folder(place), known) == {"b.md": ""}


def test_git_knows_blobs(tmp_path):
    def run(*command):
        names = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(
            ["git", "-C", str(tmp_path), *names, *command], check=True, capture_output=True
        )

    run("init", "-q")
    (tmp_path / "a").write_text("one\n")
    (tmp_path / "b").write_text("two\n")
    run("add", ".")
    run("commit", "-qm", "x")
    known = stamps(git(tmp_path))
    assert known["a"] == "5626abf0f72e58d7a153368ba57db4c673c0e171"  # as git hash-object says
    assert texts(git(tmp_path), known) == {"a": "", "b": ""}
    (tmp_path / "a").write_text("three\n")
    run("commit", "-qam", "y")
    assert texts(git(tmp_path), known) == {"a": "three\n", "b": ""}
    (first, _) = git(tmp_path).documents(known=stamps(git(tmp_path)))
    assert (first.size_bytes, first.path) == (6, "a")


def test_records_are_stamped_with_all_that_they_say(tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"_id": "a", "text": "x"}\n{"_id": "b", "text": "y"}\n')
    known = stamps(jsonl(file))
    assert texts(jsonl(file), known) == {"a": "", "b": ""}
    file.write_text('{"_id": "a", "text": "x", "title": "t"}\n{"_id": "b", "text": "z"}\n')
    assert texts(jsonl(file), known) == {"a": "x", "b": "z"}


def test_documents_at_hand():
    one, two = Document("a", "x", title="yz"), Document("b", "x", title="y")
    known = stamps(inline([one, two]))
    assert texts(inline([one, two]), known) == {"a": "", "b": ""}
    moved = inline([Document("a", "zx", title="y"), two])
    assert texts(moved, known) == {"a": "zx", "b": ""}
    kept = inline([Document("a", "x", stamp="mine")])
    assert stamps(kept) == {"a": "mine"}


def test_the_standard_library_is_stamped():
    corpus = stdlib(include=["json/"])
    known = stamps(corpus)
    assert all(known.values())
    assert set(texts(corpus, known).values()) == {""}
    assert {document.uri for document in corpus.documents(known=known)} == set(known)
