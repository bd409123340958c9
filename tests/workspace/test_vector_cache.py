"""Remembered vectors are those that the model gave, to the bit, or they are made again."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.records import untracked
from assay.workspace import vector_cache
from assay.workspace.blobs import blobs
from assay.workspace.vector_cache import cached

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


class Hashing:
    """A stand-in for a model: a text's vector are the bits of its hash."""

    name = "stand-in"
    dimension = 8

    def __init__(self, fingerprint="f", *, fails_at=None):
        self.fingerprint = fingerprint
        self.asked = []
        self.fails_at = fails_at

    def embed(self, texts, *, query=False, track=None):
        if self.fails_at is not None and len(self.asked) >= self.fails_at:
            raise KeyboardInterrupt
        self.asked += [(text, query) for text in texts]
        rows = [self.bits(text, query=query) for text in texts]
        return np.frombuffer(b"".join(rows), dtype=np.float32).reshape(len(texts), 8)

    def bits(self, text, *, query=False):
        key = f"{self.fingerprint} {query} {text}".encode("utf-8", "surrogatepass")
        return sha256(key).digest()

    def count(self, text):
        return len(text.split())


def bits(vectors):
    return [row.tobytes() for row in vectors]


@pytest.fixture
def path(place):
    return place / "cache" / "vectors.sqlite"


def test_by_hand(path):
    model = Hashing()
    memory = cached(model, path)
    first = memory.embed(["a", "b", "a"])
    assert model.asked == [("a", False), ("b", False)]  # equal texts once
    assert bits(first) == [model.bits(text) for text in "aba"]
    assert (memory.hits, memory.misses) == (1, 2)
    assert bits(memory.embed(["c", "b"])) == [model.bits(text) for text in "cb"]
    assert model.asked[2:] == [("c", False)]
    assert (memory.hits, memory.misses) == (2, 3)
    assert (memory.name, memory.fingerprint, memory.dimension) == ("stand-in", "f", 8)
    assert memory.count("two words") == 2
    assert memory.plain is model
    assert first.dtype == np.float32
    memory.close()


def test_another_process_would_find_them(path):
    cached(Hashing(), path).embed(["a", "b"])
    model = Hashing()
    assert bits(cached(model, path).embed(["b", "a"])) == [model.bits(text) for text in "ba"]
    assert model.asked == []


def test_models_and_uses_are_kept_apart(path):
    for model in (Hashing("f"), Hashing("g"), Hashing("")):
        for query in (False, True, False):
            assert bits(cached(model, path).embed(["a"], query=query)) == [
                model.bits("a", query=query)
            ]
        assert model.asked == [("a", False), ("a", True)]


def test_no_texts(path):
    assert cached(Hashing(), path).embed([]).shape == (0, 8)
    assert not path.exists()


@settings(max_examples=40)
@given(st.lists(st.text() | st.text(st.characters(categories=["Cs"]), max_size=3), max_size=12))
def test_any_texts(texts):
    model = Hashing()
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        memory = cached(model, f"{place}/vectors.sqlite")
        for _ in range(2):
            assert bits(memory.embed(texts)) == [model.bits(text) for text in texts]
        memory.close()
    assert len(model.asked) == len(set(texts))


def test_an_interruption_costs_one_batch(path, monkeypatch):
    monkeypatch.setattr(vector_cache, "BATCH", 10)
    texts = [str(number) for number in range(100)]
    with pytest.raises(KeyboardInterrupt):
        cached(Hashing(fails_at=50), path).embed(texts)
    again = cached(Hashing(), path)
    again.embed(texts)
    assert (again.hits, again.misses) == (50, 50)


KILLED = """
import os, signal, sys, numpy as np
from assay.workspace.vector_cache import cached
class Model:
    name, fingerprint, dimension, seen = "stand-in", "f", 8, 0
    def embed(self, texts, *, query=False, track=None):
        self.seen += len(texts)
        if self.seen > 600:
            os.kill(os.getpid(), signal.SIGKILL)
        return np.ones((len(texts), 8), dtype=np.float32)
cached(Model(), sys.argv[1]).embed([str(number) for number in range(1000)])
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_kill_costs_one_batch(path):
    ran = subprocess.run([sys.executable, "-c", KILLED, str(path)], timeout=60, check=False)
    assert ran.returncode == -9
    again = cached(Hashing(), path)
    vectors = again.embed([str(number) for number in range(1000)])
    assert (again.hits, again.misses) == (576, 424)
    assert (vectors[:576] == 1).all()


def test_progress_counts_what_is_embedded(path):
    shown = []

    def track(items, doing, *, total=None, unit=""):
        shown.append((doing, total, unit))
        return items

    memory = cached(Hashing(), path)
    memory.embed(["a", "b", "b"], track=track)
    memory.embed(["a"], track=track)
    assert shown == [("embedding with stand-in", 2, "texts")]


@pytest.mark.parametrize("damage", ["garbage", "truncated", "zeros"])
def test_a_damaged_file_is_set_aside_and_said(path, damage):
    notes, texts = [], [str(number) for number in range(3000)]
    cached(Hashing(), path).embed(texts)
    data = path.read_bytes()
    new = {
        "garbage": b"no database" * 999,
        "truncated": data[: len(data) // 2],
        "zeros": data[:8192] + bytes(len(data) - 8192),
    }[damage]
    path.write_bytes(new)
    model = Hashing()
    memory = cached(model, path, note=notes.append)
    assert bits(memory.embed(texts)) == [model.bits(text) for text in texts]
    assert len(notes) == 1
    assert "is damaged" in notes[0]
    assert path.with_name("vectors.sqlite.damaged").read_bytes()
    memory.close()
    again = cached(Hashing(), path, note=notes.append)
    again.embed(texts)
    assert (len(notes), again.misses) == (1, 0)
    again.close()


@pytest.mark.parametrize("value", [b"", b"x" * 31, b"x" * 32, b"x" * 64, None, 7, "text"])
def test_a_changed_value_is_made_again(path, value):
    cached(Hashing(), path).embed(["a", "b"])
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("UPDATE blobs SET value = ?", (value,)).rowcount == 2
    for misses in (2, 0):  # and healed
        model = Hashing()
        memory = cached(model, path)
        assert bits(memory.embed(["a", "b"])) == [model.bits(text) for text in "ab"]
        assert memory.misses == misses
        memory.close()


def test_a_vector_of_another_length_is_made_again(path):
    """A model of ours would have another fingerprint; one that is not need not."""
    cached(Hashing(), path).embed(["a"])
    short = Hashing()
    short.dimension = 4
    short.embed = lambda texts, **more: np.ones((len(texts), 4), dtype=np.float32)
    assert cached(short, path).embed(["a"]).tolist() == [[1, 1, 1, 1]]


def test_values_of_two_keys_changed_places(path):
    """Each is whole by itself: the checksum covers the key too."""
    cached(Hashing(), path).embed(["a", "b"])
    with closing(sqlite3.connect(path)) as connection, connection:
        (one, first, check), (two, second, other) = connection.execute("SELECT * FROM blobs")
        change = "UPDATE blobs SET value = ?, checksum = ? WHERE key = ?"
        connection.execute(change, (second, other, one))
        connection.execute(change, (first, check, two))
    model = Hashing()
    assert bits(cached(model, path).embed(["a", "b"])) == [model.bits(text) for text in "ab"]


def test_a_place_that_cannot_be_written_is_done_without(place, nobody):
    notes, model = [], Hashing()
    place.chmod(0o555)
    with nobody():
        memory = cached(model, place / "cache" / "vectors.sqlite", note=notes.append)
        for _ in range(2):
            assert bits(memory.embed(["a"])) == [model.bits("a")]
    place.chmod(0o755)
    assert len(notes) == 1
    assert "nothing is cached" in notes[0]


def test_a_folder_in_its_place_is_done_without(path):
    notes, model = [], Hashing()
    path.mkdir(parents=True)
    assert bits(cached(model, path, note=notes.append).embed(["a"])) == [model.bits("a")]
    assert len(notes) == 1


def test_many_at_once(path):
    texts = [str(number) for number in range(600)]
    right = []

    def work():
        model = Hashing()
        right.append(bits(cached(model, path).embed(texts)) == [model.bits(each) for each in texts])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 4
    assert cached(model := Hashing(), path).embed(texts).shape == (600, 8)
    assert model.asked == []


def test_one_memory_serves_many_threads(path):
    memory = cached(model := Hashing(), path)
    right = []

    def work(start):
        texts = [str(number) for number in range(start, start + 300)]
        right.append(bits(memory.embed(texts)) == [model.bits(each) for each in texts])

    threads = [threading.Thread(target=work, args=(100 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 4


def test_blobs(path):
    memory = blobs(path)
    assert memory.get("a") is None
    assert not path.exists()
    memory.put("a", b"one")
    memory.put("b", b"")
    memory.put_many({})
    assert memory.get("a") == b"one"
    assert memory.get("b") == b""
    assert blobs(path).get_many(["b", "c", "a"]) == {"a": b"one", "b": b""}
    memory.put("a", b"two")
    memory.close()
    assert memory.get("a") == b"two"
    many = {str(number): bytes(number) for number in range(1300)}
    memory.put_many(many)
    assert memory.get_many(list(many)) == many


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # other threads are not ours
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to fork with")
def test_a_memory_survives_a_fork(path):
    memory = blobs(path)
    memory.put("a", b"one")
    before = memory._connection
    child = os.fork()
    if not child:
        memory.put("b", b"of the child")
        os._exit(memory.get("a") != b"one" or memory._connection is before)
    assert os.waitpid(child, 0)[1] == 0
    assert memory.get_many(["a", "b"]) == {"a": b"one", "b": b"of the child"}


def test_what_was_there_before_is_told_from_what_came_twice(path):
    first = cached(Hashing(), path)
    first.embed(["a", "a", "b"])
    first.embed(["a", "c"])
    assert (first.hits, first.remembered) == (2, 0)
    again = cached(Hashing(), path)
    again.embed(["a", "a", "d"])
    again.embed(["d", "b"])
    assert again.remembered == 3


def test_progress_moves_with_each_text_not_with_each_batch(path):
    seen = []

    class Slow(Hashing):
        def embed(self, texts, *, query=False, track=untracked):
            made = super().embed(texts, query=query)
            seen.extend((text, shown[-1]) for text in track(texts, "embedding"))
            return made

    shown = [-1]

    def track(items, doing, *, total=None, unit=""):
        for number, item in enumerate(items):
            shown.append(number)
            yield item
        shown.append("end")

    texts = [str(number) for number in range(150)]
    cached(Slow(), path).embed(texts, track=track)
    assert seen == [(text, int(text)) for text in texts]
    assert shown[-1] == "end"


class Ticking(Hashing):
    """Every text takes a second and a half on the clock of the test."""

    def __init__(self, clock, **more):
        super().__init__(**more)
        self.clock = clock

    def embed(self, texts, *, query=False, track=None):
        self.clock[0] += 1.5 * len(texts)
        return super().embed(texts, query=query)


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(vector_cache.time, "perf_counter", lambda: now[0])
    return now


def test_how_long_it_took_is_remembered_too(path, clock):
    first = cached(Ticking(clock), path)
    first.embed(["a", "b", "a"])
    first.embed(["a", "c"])
    assert (first.remembered_seconds, first.remembered_untimed) == (0, 0)
    again = cached(Ticking(clock), path)
    again.embed(["a", "a", "d"])
    assert again.remembered_seconds == pytest.approx(1.5)  # a, once: it would be embedded once
    again.embed(["d", "b", "a"])
    assert again.remembered_seconds == pytest.approx(3)
    assert (again.remembered, again.remembered_untimed) == (4, 0)


def untimed(path, data=None):
    """Leave out the times, as in a file of an earlier version, or put another value there."""
    memory = blobs(path)
    with closing(sqlite3.connect(path)) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM blobs")]
    memory.put_many({key: memory.get(key)[:32] + (data or b"") for key in keys})
    memory.close()


def test_vectors_of_earlier_versions_stay_and_are_untimed(path, clock):
    cached(Ticking(clock), path).embed(["a", "b"])
    untimed(path)
    memory = cached(model := Ticking(clock), path)
    assert bits(memory.embed(["a", "b", "c", "a"])) == [model.bits(text) for text in "abca"]
    assert model.asked == [("c", False)]
    assert (memory.remembered, memory.remembered_seconds, memory.remembered_untimed) == (3, 0, 2)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1.0])
def test_a_time_that_cannot_be_is_none(path, clock, number):
    cached(Ticking(clock), path).embed(["a"])
    untimed(path, vector_cache.TOOK.pack(number, bytes(8)))
    memory = cached(Ticking(clock), path)
    memory.embed(["a"])
    assert (memory.remembered_seconds, memory.remembered_untimed) == (0, 1)


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=5), max_size=6), st.data())
def test_what_was_measured_earlier_and_now_is_all(uses, data):
    """However the texts are met again, the seconds add up to one embedding of each."""
    known = data.draw(st.sets(st.sampled_from("abcdef")))
    with tempfile.TemporaryDirectory(dir=MEMORY) as place, pytest.MonkeyPatch.context() as patch:
        clock = [0.0]
        patch.setattr(vector_cache.time, "perf_counter", lambda: clock[0])
        path = Path(place, "vectors.sqlite")
        cached(Ticking(clock), path).embed(sorted(known))
        clock[0] = 0.0
        with closing(cached(Ticking(clock), path)) as memory:
            for texts in uses:
                memory.embed(texts)
    met = {text for texts in uses for text in texts}
    assert clock[0] + memory.remembered_seconds == pytest.approx(1.5 * len(met))
    assert memory.remembered_seconds == pytest.approx(1.5 * len(met & known))


def test_the_time_of_another_machine_is_not_known_here(path, clock):
    cached(Ticking(clock), path, machine="a machine").embed(["a", "b"])
    same, other = (cached(Ticking(clock), path, machine=one) for one in ("a machine", "another"))
    for memory in (same, other):
        memory.embed(["a", "b"])
        assert memory.remembered == 2
    assert same.remembered_seconds > 0
    assert (same.remembered_untimed, other.remembered_untimed) == (0, 2)
    assert other.remembered_seconds == 0
