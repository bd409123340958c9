"""A build is there whole or not at all, whoever makes, uses, removes or is killed meanwhile."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from assay.errors import InputError
from assay.workspace.builds import Builds
from assay.workspace.disk import folder_locks

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


@pytest.fixture
def builds(place):
    with closing(Builds(place / "ünï 建" / "builds")) as found:
        yield found


def make(builds, key, text="x"):
    with builds.making(key) as folder:
        (folder / "index").write_text(text)
        (folder / "sub").mkdir()
        (folder / "sub" / "more").write_text(text)


def names(builds):
    return sorted(each.name for each in builds.folder.iterdir() if each.name != ".gitignore")


def test_by_hand(builds):
    assert builds.place("a1") is None
    assert (builds.sizes(), builds.used(), builds.sweep()) == ({}, {}, 0)
    with builds.making("a1") as folder:
        assert folder.parent == builds.folder
        assert folder.name.startswith(f"a1.{os.getpid()}.")
        assert folder.name.endswith(".part")
        (folder / "index").write_text("content")
        assert builds.place("a1") is None
        assert builds.sizes() == {}
    assert names(builds) == ["a1"]
    assert (builds.place("a1") / "index").read_text() == "content"
    assert builds.sizes() == {"a1": 7}


def test_use_is_noted(builds):
    make(builds, "a")
    mark = builds.folder / "a" / folder_locks.MARK
    os.utime(mark, (1000, 1000))
    assert builds.used() == {"a": 1000}
    builds.place("a")
    assert time.time() - builds.used()["a"] < 60


def test_a_failure_removes_what_was_made(builds):
    def fails():
        with builds.making("a") as folder:
            (folder / "index").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert names(builds) == []
    make(builds, "a")
    assert builds.place("a")


def test_whoever_is_first_wins(builds):
    with builds.making("a") as ours:
        (ours / "index").write_text("ours")
        with closing(Builds(builds.folder)) as other:
            make(other, "a", "theirs")
    assert names(builds) == ["a"]
    assert (builds.place("a") / "index").read_text() == "theirs"


def test_what_is_held_stays_and_what_is_not_goes(builds):
    make(builds, "a", "four")
    with closing(Builds(builds.folder)) as other:
        assert other.place("a")
        builds.close()
        assert builds.forget(["a", "never"]) == 0
        assert builds.place("a")
        builds.close()
    assert builds.forget(["a"]) == 8
    assert builds.place("a") is None
    assert names(builds) == []


def test_who_made_it_holds_it(builds):
    make(builds, "a")
    with closing(Builds(builds.folder)) as other:
        assert other.forget(["a"]) == 0


def test_a_folder_that_was_deleted_by_hand_is_not_there(builds):
    make(builds, "a")
    (builds.folder / "a").rename(builds.folder / "b")
    assert builds.place("a") is None
    make(builds, "a", "new")
    assert (builds.place("a") / "index").read_text() == "new"


def test_something_else_at_its_place(builds, monkeypatch, snapshot):
    monkeypatch.setattr("assay.workspace.builds.PAUSE_S", 0)
    builds.folder.mkdir(parents=True)
    (builds.folder / "a").write_text("a file")
    assert builds.place("a") is None
    with pytest.raises(InputError) as caught:
        make(builds, "a")
    snapshot([caught.value.problem, caught.value.hint])
    assert names(builds) == ["a"]


@pytest.mark.parametrize("key", ["", "..", "a/b", "a.part", "x" * 201, "é", "a\n", "a b"])
def test_a_key_is_no_path(builds, key):
    for act in (builds.place, lambda key: builds.forget([key]), lambda key: make(builds, key)):
        with pytest.raises(ValueError, match="not a key"):
            act(key)


def test_a_place_that_may_not_be_written(builds, nobody, open_to_others):
    make(builds, "a")
    builds.close()
    open_to_others(builds.folder.parent.parent)
    builds.folder.chmod(0o555)
    os.utime(builds.folder / "a" / folder_locks.MARK, (1000, 1000))
    try:
        with nobody(), closing(Builds(builds.folder)) as other:
            assert (other.place("a") / "index").read_text() == "x"
            with pytest.raises(InputError, match=r"\(Permission denied\)\n  hint: "):
                make(other, "b")
            with pytest.raises(InputError, match="Permission denied"):
                Builds(builds.folder).forget(["a"])
    finally:
        builds.folder.chmod(0o755)
    assert names(builds) == ["a"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can close it to others"
)
def test_a_place_that_is_closed_meanwhile(builds, nobody):
    """The message is about what went wrong first."""
    builds.folder.mkdir(parents=True)
    builds.folder.parent.parent.chmod(0o755)
    builds.folder.chmod(0o777)

    def fails():
        with builds.making("b") as folder:
            (folder / "index").write_text("half")
            closed()
            raise InputError("the first problem")

    def closed():
        os.seteuid(0)
        builds.folder.chmod(0o555)
        os.seteuid(65534)

    with nobody(), pytest.raises(InputError, match="the first problem"):
        fails()
    assert list((builds.folder / names(builds)[0]).iterdir()) == []


def test_a_build_that_takes_the_place_of_another_meanwhile_stays(builds, monkeypatch):
    """The lock that a remover gets is that of a folder which is gone by then."""
    make(builds, "a", "first")
    builds.close()
    lock = folder_locks._lock

    def slow(handle, *, alone):
        if alone:
            monkeypatch.setattr(folder_locks, "_lock", lock)
            assert builds.forget(["a"]) == 10
            make(builds, "a", "second")
        return lock(handle, alone=alone)

    monkeypatch.setattr(folder_locks, "_lock", slow)
    assert builds.forget(["a"]) == 0
    assert (builds.place("a") / "index").read_text() == "second"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files cannot be counted")
def test_no_file_stays_open(builds):
    def fails():
        with builds.making("a"):
            raise KeyboardInterrupt

    def count():
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    make(builds, "b")
    builds.close()
    before = count()
    with pytest.raises(KeyboardInterrupt):
        fails()
    make(builds, "b")
    builds.place("b")
    builds.place("c")
    builds.close()
    builds.forget(["b"])
    assert count() == before


MAKING = """
import sys, time
from assay.workspace.builds import Builds
builds = Builds(sys.argv[1])
with builds.making("a") as folder:
    (folder / "index").write_text("of a process")
    print("making", flush=True)
    sys.stdin.readline()
print("made", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def process(builds):
    started = []

    def start():
        command = [sys.executable, "-c", MAKING, str(builds.folder)]
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        started.append(child)
        assert child.stdout.readline() == "making\n"
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def go_on(child):
    child.stdin.write("\n")
    child.stdin.flush()


def test_two_processes_at_once(builds, process):
    one, two = process(), process()
    assert len(names(builds)) == 2
    assert builds.sweep() == 0  # both live
    assert len(names(builds)) == 2
    for child in (two, one):
        go_on(child)
        assert child.stdout.readline() == "made\n"
    assert names(builds) == ["a"]
    assert builds.forget(["a"]) == 0  # both hold it
    for child in (one, two):
        go_on(child)
        assert child.wait(60) == 0
    assert builds.forget(["a"]) == len("of a process")


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_kill_leaves_nothing_that_counts(builds, process):
    child = process()
    child.send_signal(signal.SIGKILL)
    child.wait(60)
    assert builds.place("a") is None
    assert builds.sizes() == {}
    (left,) = names(builds)
    assert left.endswith(".part")
    assert builds.sweep() == len("of a process")
    assert names(builds) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_killed_user_holds_nothing(builds, process):
    child = process()
    go_on(child)
    assert child.stdout.readline() == "made\n"
    assert builds.forget(["a"]) == 0
    child.send_signal(signal.SIGKILL)
    child.wait(60)
    assert builds.forget(["a"]) == len("of a process")


def test_half_removed_folders_are_swept(builds):
    folder = builds.folder / "a.1.gone"
    folder.mkdir(parents=True)
    (folder / "index").write_text("left")
    assert builds.sizes() == {}
    assert builds.sweep() == 4
    assert names(builds) == []


@pytest.mark.skipif(os.name == "nt", reason="processes cannot be asked for")
def test_an_unmarked_part_is_swept_if_its_process_is_dead_or_it_is_old(builds):
    """A process that lives may be about to mark it."""
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        pass
    living = [f"a.{os.getpid()}.00.part", "a.part", "a.x.part", f"a.{10**30}.0.part"]
    for name in [*living, f"a.{dead.pid}.00.part"]:
        (builds.folder / name).mkdir(parents=True)
    builds.sweep()
    assert names(builds) == sorted(living)
    for name in living:
        os.utime(builds.folder / name, (1000, 1000))
    builds.sweep()
    assert names(builds) == []


@pytest.mark.parametrize("locks", ["none", "refused"])
def test_where_nothing_can_be_locked_age_decides(builds, monkeypatch, locks):
    def refused(*_):
        raise OSError(95, "not supported")

    if locks == "none":
        monkeypatch.setattr(folder_locks, "fcntl", None)
    else:
        monkeypatch.setattr(folder_locks.fcntl, "flock", refused)
    make(builds, "a")
    assert builds.place("a")
    builds.close()
    assert builds.forget(["a"]) == 0
    os.utime(builds.folder / "a" / folder_locks.MARK, (1000, 1000))
    assert builds.forget(["a"]) == 2


def test_hard_links_count_once(builds):
    with builds.making("a") as folder:
        (folder / "one").write_text("12345")
        (folder / "two").hardlink_to(folder / "one")
    assert builds.sizes() == {"a": 5}


class Beside(RuleBasedStateMachine):
    """Two users of one folder, against two sets and a dictionary."""

    keys = st.sampled_from("ab")
    who = st.sampled_from([0, 1])

    def __init__(self):
        super().__init__()
        self.place = tempfile.TemporaryDirectory(dir=MEMORY)
        self.users = [Builds(self.place.name), Builds(self.place.name)]
        self.content = {}
        self.held = [set(), set()]
        self.number = 0

    @rule(who=who, key=keys)
    def make(self, who, key):
        self.number += 1
        with self.users[who].making(key) as folder:
            (folder / "index").write_text(str(self.number))
        self.content.setdefault(key, str(self.number))
        self.held[who].add(key)

    @rule(who=who, key=keys)
    def use(self, who, key):
        found = self.users[who].place(key)
        assert (found is not None) == (key in self.content)
        if found:
            assert (found / "index").read_text() == self.content[key]
            self.held[who].add(key)

    @rule(who=who, keys=st.sets(keys))
    def forget(self, who, keys):
        gone = {key for key in keys & self.content.keys() if key not in set().union(*self.held)}
        expected = sum(len(self.content[key]) for key in gone)
        assert self.users[who].forget(keys) == expected
        for key in gone:
            del self.content[key]

    @rule(who=who)
    def close(self, who):
        self.users[who].close()
        self.held[who].clear()

    @invariant()
    def nothing_else_is_there(self):
        assert {key: len(text) for key, text in self.content.items()} == self.users[0].sizes()
        assert self.users[1].sweep() == 0

    def teardown(self):
        for user in self.users:
            user.close()
        self.place.cleanup()


TestBeside = Beside.TestCase
TestBeside.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
