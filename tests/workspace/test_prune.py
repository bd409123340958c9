"""What was not used for longest goes first, what is in use stays, and all ends below the limit."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.workspace._shrink_files import count_of, memory_bytes, shrink
from assay.workspace.blobs import Blobs
from assay.workspace.builds import Builds
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace
from assay.workspace.prune import Removable, oldest, prune

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
PAGE = 8192


@pytest.fixture(autouse=True)
def _no_scratch(monkeypatch):
    monkeypatch.setattr("assay.workspace.prune.sweep_scratch", lambda: 0)  # other tests have theirs


@pytest.fixture
def workspace(place):
    return Workspace(place / "ünï 建" / ".assay")


def kept(workspace):
    with closing(open_ledger(workspace.ledger)) as found:
        tapes = {f"tape {tape.key}" for tape in found.tapes()}
    return tapes | {f"build {key}" for key in Builds(workspace.builds).sizes()}


def test_by_hand(workspace, put):
    put.build(workspace, "old", 5000, used=100)
    put.tape(workspace, "older", 3000, used=50)
    put.tape(workspace, "new", 3000, used=400)
    put.build(workspace, "newer", 5000, used=500)
    put.memory(workspace.vectors, 3)
    memory = memory_bytes(workspace.vectors)
    assert prune(workspace, memory + 17_000).freed == {}
    done = prune(workspace, memory + 12_000)
    assert (done.tapes, done.builds, done.in_use, done.notes) == (1, 1, 0, ())
    assert done.freed["builds"] == 5000
    assert 3000 <= done.freed["tapes"] < 3200
    assert kept(workspace) == {"tape new", "build newer"}
    assert memory + 8000 <= done.bytes <= memory + 8200
    assert count_of(workspace.vectors) == 3


def test_an_empty_workspace_stays_as_it_is(workspace):
    done = prune(workspace, 0)
    assert (done.tapes, done.builds, done.bytes, done.freed) == (0, 0, 0, {})
    assert not workspace.folder.exists()


PIECES = st.lists(
    st.builds(
        Removable,
        st.sampled_from(["tapes", "builds"]),
        st.text("abc", min_size=1, max_size=4),
        st.integers(0, 50),
        st.integers(0, 9).map(float),
    ),
    unique_by=lambda piece: piece.name,
)


@given(PIECES, st.integers(-5, 300))
def test_the_oldest_are_chosen_and_no_more_than_needed(pieces, excess):
    chosen = oldest(pieces, excess=excess)
    rest = [piece for piece in pieces if piece not in chosen]
    freed = sum(piece.bytes for piece in chosen)
    assert freed >= excess or not rest
    assert all(one.used <= other.used for one in chosen for other in rest)
    assert not chosen or freed - chosen[-1].bytes < excess
    assert oldest(pieces[::-1], excess=excess) == chosen  # the order of listing is no reason


@pytest.fixture(scope="module")
def recorded(put):
    """A ledger with three tapes, to be copied."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        workspace = Workspace(Path(place))
        for number, key in enumerate("abc"):
            put.tape(workspace, key, 2000 * (number + 1), used=1000.0 * (number + 1))
        yield workspace.ledger


@settings(max_examples=30)
@given(
    made=st.dictionaries(
        st.text("xyz", min_size=1, max_size=3),
        st.tuples(st.integers(0, 9000), st.integers(0, 4000)),
        max_size=5,
    ),
    held=st.sets(st.text("xyz", min_size=1, max_size=3)),
    vectors=st.integers(0, 12),
    limit=st.integers(0, 60_000),
)
def test_any_workspace_ends_below_the_limit_or_with_nothing_left(
    recorded, put, made, held, vectors, limit
):
    with tempfile.TemporaryDirectory(dir=MEMORY) as place, closing(Builds("")) as user:
        workspace = Workspace(Path(place))
        shutil.copy(recorded, workspace.ledger)
        for key, (size, used) in made.items():
            put.build(workspace, key, size, used)
        put.memory(workspace.vectors, vectors, each=2000)
        user.folder = workspace.builds
        in_use = {key for key in held & set(made) if user.place(key)}
        for key in in_use:
            os.utime(workspace.builds / key / ".used", (made[key][1],) * 2)
        used = {f"tape {key}": 1000.0 * (at + 1) for at, key in enumerate("abc")}
        used |= {f"build {key}": float(when) for key, (_, when) in made.items()}
        done = prune(workspace, limit)
        left = kept(workspace)
        free = left - {f"build {key}" for key in in_use}
        assert {f"build {key}" for key in in_use} <= left
        assert done.bytes <= limit or not free
        gone = used.keys() - left
        assert all(used[one] <= used[other] for one in gone for other in free)
        assert (done.tapes + done.builds) == len(gone)
        if left:
            assert count_of(workspace.vectors) == vectors
        elif done.bytes > limit:
            assert count_of(workspace.vectors) == 0
        again = prune(workspace, limit)
        assert (again.tapes, again.builds, again.freed) == (0, 0, {})


def test_tapes_of_a_benchmark_at_work_stay(workspace, put):
    put.unit(workspace, "nothing")
    put.tape(workspace, "done", 1000, used=100)
    put.tape(workspace, "at_work", 1000, used=50, state="running")
    done = prune(workspace, 0)
    assert (done.tapes, done.in_use) == (1, 1)
    assert kept(workspace) == {"tape at_work"}


def test_memories_go_last_the_oldest_first(workspace, put):
    put.memory(workspace.vectors, 400)
    put.memory(workspace.tokens, 100)
    os.utime(workspace.vectors, (1000, 1000))
    put.build(workspace, "a", 5000, used=100)
    both = memory_bytes(workspace.vectors) + memory_bytes(workspace.tokens)
    done = prune(workspace, both - 100_000)
    assert done.builds == 1
    assert done.bytes <= both - 100_000
    assert count_of(workspace.tokens) == 100
    left = count_of(workspace.vectors)
    assert 150 < left < 350
    memory = Blobs(workspace.vectors)
    found = memory.get_many([f"{number:064}" for number in range(400)])
    assert sorted(map(int, found)) == list(range(400 - left, 400))
    memory.close()


def test_memories_stay_while_a_build_is_left(workspace, put):
    put.memory(workspace.vectors, 10)
    put.build(workspace, "a", 5000, used=100)
    with closing(Builds(workspace.builds)) as user:
        user.place("a")
        done = prune(workspace, 0)
    assert (done.builds, done.in_use, count_of(workspace.vectors)) == (0, 1, 10)
    assert prune(workspace, 0).bytes == PAGE  # an empty file
    assert count_of(workspace.vectors) == 0


def test_a_memory_that_is_open_stays(workspace, put):
    put.memory(workspace.vectors, 10)
    with closing(Blobs(workspace.vectors)) as user:
        user.get("0")
        done = prune(workspace, 0)
        assert (done.in_use, count_of(workspace.vectors)) == (1, 10)
        user.put("more", b"of it")
        assert user.get("more") == b"of it"
    assert prune(workspace, 0).in_use == 0


def test_a_memory_works_after_it_was_made_smaller(place, put):
    path = place / "vectors.sqlite"
    put.memory(path, 50)
    assert shrink(path, to_bytes=0) > 50_000
    with closing(Blobs(path)) as memory:
        assert memory.get(f"{49:064}") is None
        memory.put("a", b"new")
        assert memory.get("a") == b"new"
    assert shrink(path, to_bytes=10**9) == 0
    assert count_of(path) == 1


def test_a_memory_that_is_read_without_a_log_stays(place, put):
    """Once made smaller, a file has no log until it is written again."""
    path = place / "vectors.sqlite"
    put.memory(path, 50)
    assert shrink(path, to_bytes=50_000) > 0
    left = count_of(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM blobs").fetchone()
        assert shrink(path, to_bytes=0) == 0
    assert count_of(path) == left > 0


@pytest.mark.parametrize("damage", [b"no database" * 999, b""])
def test_a_damaged_memory_is_removed(place, damage):
    path = place / "vectors.sqlite"
    path.write_bytes(damage)
    path.with_name("vectors.sqlite.damaged").write_bytes(b"set aside")
    assert shrink(path, to_bytes=0) == len(damage) + 9
    assert memory_bytes(path) == 0
    assert shrink(path, to_bytes=0) == 0


def test_a_place_that_may_not_be_written_is_a_note(workspace, put, nobody, open_to_others):
    put.build(workspace, "a", 5000, used=100)
    open_to_others(workspace.folder.parent.parent)
    workspace.builds.chmod(0o555)
    try:
        with nobody():
            done = prune(workspace, 0)
    finally:
        workspace.builds.chmod(0o755)
    assert (done.builds, done.bytes, done.in_use) == (0, 5000, 1)
    (told,) = done.notes
    assert told.startswith(f"{workspace.builds / 'a'}: ")
    assert "(Permission denied)" in told


def test_a_damaged_ledger_is_a_note_and_builds_go_all_the_same(workspace, put):
    put.build(workspace, "a", 5000, used=100)
    workspace.ledger.write_bytes(b"no database" * 999)
    done = prune(workspace, 0)
    assert (done.builds, done.bytes) == (1, 0)
    (told,) = done.notes
    assert "damaged" in told


def test_a_workspace_that_may_not_be_read_is_a_note(workspace, put, nobody):
    put.build(workspace, "a", 5000, used=100)
    put.memory(workspace.vectors, 3)
    workspace.folder.parent.parent.chmod(0o755)
    workspace.folder.chmod(0o000)
    try:
        with nobody():
            done = prune(workspace, 0)
    finally:
        workspace.folder.chmod(0o755)
    assert done.builds == 0
    assert done.notes
    assert all("denied" in told or "unable to open" in told for told in done.notes)
