"""The standard library: what is in it on every Python, and what is not."""

import json
import sys
import sysconfig
from hashlib import sha256
from pathlib import Path

import pytest

from assay.corpora.sources.stdlib import stdlib
from assay.errors import InputError


def test_by_hand():
    (found,) = stdlib(include=["json/decoder.py"]).documents()
    assert (found.id, found.path, found.uri) == ("json/decoder.py",) * 3
    assert (found.file_name, found.language) == ("decoder.py", "python")
    source = Path(json.decoder.__file__).read_bytes()
    assert found.content_hash == sha256(source).hexdigest()
    assert found.text == source.decode()


def test_everything_that_is_source_and_nothing_else():
    corpus = stdlib()
    ids = {document.id for document in corpus.documents(texts=False, hashes=False)}
    assert corpus.skipped == {}
    assert {"os.py", "json/decoder.py", "asyncio/tasks.py", "email/message.py"} <= ids
    assert all(name.endswith(".py") for name in ids)
    for part in ("site-packages", "test", "tests", "__pycache__", "idle_test"):
        assert not [name for name in ids if f"/{part}/" in f"/{name}"]
    for name in sys.stdlib_module_names & {"abc", "ast", "base64", "zipfile", "csv", "heapq"}:
        assert {f"{name}.py", f"{name}/__init__.py"} & ids


def test_what_is_left_out_cannot_be_taken_back():
    assert not list(stdlib(include=["test/"], exclude=["!test/"]).documents())
    left = {d.id for d in stdlib(include=["json/"], exclude="*coder.py").documents()}
    assert {"json/__init__.py", "json/scanner.py"} <= left
    assert not {"json/decoder.py", "json/encoder.py"} & left


def test_a_python_without_source(tmp_path, monkeypatch):
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(InputError, match="no source files"):
        stdlib()
