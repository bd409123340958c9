"""A revision without a checkout: by hand, beside a folder of the same files, and when stopped."""

import hashlib
import os
import subprocess

import pytest

from assay.corpora.fingerprint import fingerprint
from assay.corpora.sources.folder import folder
from assay.corpora.sources.git import git
from assay.errors import InputError

WHO = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]


def run(place, *words):
    command = ["git", "-C", place, *WHO, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(place, files):
    for path, content in files.items():
        file = place / os.fsdecode(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    run(place, "add", "-A", "-f")
    run(place, "commit", "-q", "-m", "x")
    return run(place, "rev-parse", "HEAD")


@pytest.fixture
def place(tmp_path):
    run(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


def test_by_hand(place):
    first = commit(place, {"a.py": "x = 1\r\n", "docs/b c.md": "# é\n"})
    commit(place, {"a.py": "changed", "new": ""})

    code, text = git(place, first).documents()

    assert (code.id, code.path, code.file_name) == ("a.py", "a.py", "a.py")
    assert (code.text, code.size_bytes, code.language) == ("x = 1\r\n", 7, "python")
    assert code.uri == f"git:{first}:a.py"
    assert code.content_hash == hashlib.sha256(b"x = 1\r\n").hexdigest()
    assert (text.path, text.text) == ("docs/b c.md", "# é\n")
    assert [document.id for document in git(place).documents()] == ["a.py", "docs/b c.md", "new"]
    assert git(place, "main").name == f"{place.name}@main"


def test_names_of_all_kinds(place):
    names = ['say "so"', "two\nlines", "tab\there", "-dash", "späte Ähre", "a\\b", "c:d", "*?[x]"]
    commit(place, {**dict.fromkeys(names, "."), b"bad\xff": "."})
    corpus = git(place)
    assert sorted(document.id for document in corpus.documents()) == sorted(names)
    assert corpus.skipped == {"unreadable": 1}


def test_links_submodules_binary_and_large_files_are_counted(place):
    (place / "link").symlink_to("a")
    commit(place, {"a": "x", "b": b"\0", "c": "y" * 101})
    other = run(place, "rev-parse", "HEAD")
    run(place, "update-index", "--add", "--cacheinfo", f"160000,{other},sub")
    run(place, "commit", "-q", "-m", "y")
    corpus = git(place, max_file_size=100)
    assert [document.id for document in corpus.documents()] == ["a"]
    assert corpus.skipped == {"binary": 1, "link": 1, "submodule": 1, "too_large": 1}


def test_a_clean_checkout_is_the_same_corpus(place):
    files = {"a/x": "1", "a.b": "2", "a0": "3", "B": "4", ".hidden/é": "5", ".gitignore": "*.o"}
    commit(place, files)
    revision, checkout = git(place), folder(place)
    assert [d.id for d in revision.documents()] == [d.id for d in checkout.documents()]
    assert fingerprint(revision) == fingerprint(checkout)


def test_a_folder_of_a_repository(place):
    made = commit(place, {"top": "1", "src/a/b.py": "2"})
    (found,) = git(place / "src").documents()
    assert (found.id, found.uri) == ("a/b.py", f"git:{made}:src/a/b.py")


def test_what_a_partial_clone_lacks_is_not_fetched(place, tmp_path_factory):
    commit(place, {"a": "1"})
    run(place, "config", "uploadpack.allowFilter", "true")
    part = tmp_path_factory.mktemp("part") / "part"
    filtered = ("--filter=blob:none", "--no-checkout", place.as_uri(), part)
    run(place, "clone", "-q", *filtered)
    lacking = run(part, "rev-list", "--objects", "--missing=print", "HEAD")
    assert "?" in lacking
    with pytest.raises(InputError, match="cannot list its files") as caught:
        list(git(part).documents())
    assert "partial clone" in caught.value.hint
    assert run(part, "rev-list", "--objects", "--missing=print", "HEAD") == lacking


def test_a_bare_repository(place, tmp_path_factory):
    commit(place, {"a": "1"})
    bare = tmp_path_factory.mktemp("bare")
    run(place, "clone", "-q", "--bare", place, bare / "x.git")
    assert [document.id for document in git(bare / "x.git").documents()] == ["a"]


def test_patterns_choose(place):
    commit(place, dict.fromkeys(["a.py", "src/b.py", "src/c.md"], "."))
    chosen = git(place, include=["*.py"], exclude="src/")
    assert [document.id for document in chosen.documents()] == ["a.py"]


def test_a_blob_that_is_not_there_is_counted(place):
    commit(place, {"a": "1", "b": "2"})
    blob = run(place, "rev-parse", "HEAD:a")
    (place / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    corpus = git(place)
    assert [document.id for document in corpus.documents()] == ["b"]
    assert corpus.skipped == {"unreadable": 1}


def test_the_surroundings_of_a_hook_do_not_lead_astray(place, monkeypatch):
    commit(place, {"a": "1"})
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert [document.id for document in git(place).documents()] == ["a"]


def test_nothing_of_the_repository_is_run(place):
    hooks = place / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    commit(place, {"a": "1"})
    for name in ("post-checkout", "pre-commit", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {place}/ran\n")
        (hooks / name).chmod(0o755)
    assert len(list(git(place).documents())) == 1
    assert not (place / "ran").exists()


@pytest.mark.parametrize(
    "revision", ["nope", "-x", "--help", "a b", "", "HEAD:a", "x\0", "y" * 9999]
)
def test_unknown_revisions(place, revision):
    commit(place, {"a": "1"})
    with pytest.raises(InputError, match="revision"):
        git(place, revision)


def test_a_repository_without_commits(place):
    with pytest.raises(InputError, match='"HEAD"'):
        git(place)


def test_no_repository_and_no_git(tmp_path, monkeypatch, snapshot):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(InputError) as raised:
        git(tmp_path)
    snapshot(raised.value)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError) as raised:
        git(tmp_path)
    snapshot(raised.value)


def children():
    listed = subprocess.run(["ps", "-o", "comm=", "--ppid", str(os.getpid())], capture_output=True)
    return listed.stdout.split().count(b"git")


def test_stopping_early_leaves_no_process(place):
    commit(place, {f"{number}": "x" * 2000 for number in range(300)})
    reading = git(place).documents()
    next(reading)
    assert children() == 2
    reading.close()
    assert children() == 0
    for _ in git(place).documents():
        break
    assert children() == 0


def test_two_readings_agree(place):
    commit(place, {f"{number}": str(number) for number in range(30)})
    corpus = git(place)
    assert list(corpus.documents()) == list(corpus.documents())
    spared = corpus.documents(texts=False, hashes=False)
    assert [(d.id, d.text, d.content_hash) for d in spared][3] == ("11", "", "")
