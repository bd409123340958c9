"""What was used last is read from the file once."""

from contextlib import closing

import pytest

from assay.workspace import blobs as module
from assay.workspace.blobs import Blobs


@pytest.fixture
def reads(monkeypatch):
    """Tell which keys are read from a file."""
    read, seen = module._read, []

    def counted(connection, keys):
        seen.extend(keys)
        return read(connection, keys)

    monkeypatch.setattr(module, "_read", counted)
    return seen


@pytest.fixture
def path(place):
    with closing(Blobs(place / "tokens.sqlite")) as memory:
        memory.put_many({"a": b"11", "b": b"22", "c": b"33"})
    return place / "tokens.sqlite"


def test_each_value_is_read_once(path, reads):
    with closing(Blobs(path)) as memory:
        assert memory.get_many(["a", "b"]) == {"a": b"11", "b": b"22"}
        assert memory.get_many(["c", "b"]) == {"b": b"22", "c": b"33"}
    assert reads == ["a", "b", "c"]


def test_what_was_put_is_not_read(path, reads):
    with closing(Blobs(path)) as memory:
        memory.put("d", b"44")
        assert memory.get("d") == b"44"
    assert reads == []


def test_what_is_not_there_is_looked_for_again(path, reads):
    with closing(Blobs(path)) as memory, closing(Blobs(path)) as other:
        assert memory.get("d") is None
        other.put("d", b"44")
        assert memory.get("d") == b"44"


def test_no_more_than_its_bytes_stay(path, reads):
    with closing(Blobs(path, recent_bytes=4)) as memory:
        for key in "abca":
            assert memory.get(key)
    assert reads == ["a", "b", "c", "a"]


def test_nothing_stays_after_closing(path, reads):
    memory = Blobs(path)
    memory.get("a")
    memory.close()
    assert memory.get("a") == b"11"
    assert reads == ["a", "a"]
    memory.close()
