"""A run that was stopped is gone on with; runs share what is done, and do it once."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial

import pytest

from assay.benchmarks.work.ask import STUDIED
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.cli import start
from assay.errors import InputError
from assay.workspace.ledger import _database

WORDS = [{"name": "words", "search": "lexical", "depth": 50, "top_k": 20}]
BOTH = [*WORDS, {"name": "near", "search": "dense", "model": "static", "depth": 50, "top_k": 20}]
# A system that fails as long as a file is there, answers slowly while another is, and counts.
SYSTEM = """
import os, pathlib, time

HERE = pathlib.Path(os.environ["SYSTEM_AT"])

def search(query, top, *, id):
    with (HERE / "asked").open("a") as file:
        file.write(id + "\\n")
    if (HERE / "slow").exists():
        time.sleep(0.1)
    if (HERE / "broken").exists() and id in ("q3", "q4"):
        raise RuntimeError("no answer today")
    if (HERE / "full").exists() and id in ("q3", "q4"):
        raise OSError(28, "No space left on device")
    return ["f1.py", "f2.py"]
"""
ASKED = [{"name": "theirs", "system": {"kind": "callable", "function": "theirs.py:search"}}]
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


@pytest.fixture
def theirs(counted, tmp_path, monkeypatch):
    """A benchmark of a system whose mood can be changed from here."""
    place = counted([*ASKED, *WORDS])
    (place.file.parent / "theirs.py").write_text(SYSTEM)
    monkeypatch.setenv("SYSTEM_AT", str(tmp_path))

    def asked():
        file = tmp_path / "asked"
        found = file.read_text().split() if file.exists() else []
        file.unlink(missing_ok=True)
        return Counter(found)

    place.asked, place.mood = asked, tmp_path
    return place


@pytest.fixture
def quiet(monkeypatch):
    """Take the machine for quiet: what a busy one timed is timed again by the next run."""
    monkeypatch.setattr("assay.benchmarks.work.piece_work.kept_waiting", lambda _times: False)


@pytest.mark.usefixtures("quiet")
def test_a_run_after_another_searches_nothing(counted, without_times, differences):
    place = counted(BOTH)
    first, at = place.run(asks=2), place.at()
    second = place.run(asks=2)
    assert not place.executed(at)
    assert not differences(without_times(first), without_times(second))
    assert first["id"] != second["id"]


@pytest.mark.usefixtures("quiet")
def test_more_asks_search_only_the_further_rounds(counted):
    place = counted(WORDS)
    place.run(asks=1)
    at = place.at()
    report = place.run(asks=3)
    assert {number for *_, number in place.searches(at)} == {1, 2}
    assert report["runs"][0]["latency_ms"]["repeats"] == 3


def test_fresh_uses_nothing(counted, without_times, differences):
    place = counted(BOTH)
    first, at = place.run(asks=1), place.at()
    second = place.run(asks=1, fresh=True)
    assert len(place.executed(at)) == len(place.executed()) - len(place.executed(at))
    assert not differences(without_times(first), without_times(second))


def test_the_same_seed_gives_the_same_report_in_two_workspaces(counted, without_times, differences):
    first, second = (counted(BOTH).run(asks=1, seed=3) for _ in range(2))
    assert not differences(without_times(first), without_times(second))
    other = counted(BOTH).run(asks=1, seed=4)
    assert differences(without_times(first), without_times(other))


@pytest.fixture(scope="module")
def alone(counted, without_times):
    """A run that nobody shared or disturbed, in a process of its own."""
    place = counted(BOTH)
    place.report = without_times(place.finish(asks=2))
    return place


def test_two_runs_at_once_share_the_work(alone, counted, without_times, differences):
    place, report = counted(BOTH), alone.report
    children = [place.start(asks=2) for _ in range(2)]
    for child in children:
        assert not differences(without_times(place.finish(child)), report)
    assert place.tapes() == alone.tapes()
    assert place.searches().keys() == alone.searches().keys()
    assert place.ask("SELECT count(*) FROM units WHERE fence <> 1") == [(0,)]  # each claimed once
    assert place.states() == ["completed", "completed"]


def test_parallel_processes_search_each_query_once(alone, counted, without_times, differences):
    place, report = counted(BOTH), alone.report
    assert not differences(without_times(place.finish(asks=2, parallel=3)), report)
    assert place.tapes() == alone.tapes()
    at = place.at()
    assert not differences(without_times(place.finish(asks=2)), report)
    # Times of a busy machine are taken again; what was found is not searched for again.
    assert {tape for tape, *_ in place.searches(at)} == place.times()
    assert place.tapes() == alone.tapes()


def test_only_failed_queries_are_asked_again(theirs):
    (theirs.mood / "broken").touch()
    first = theirs.run(asks=2)
    assert set(first["runs"][0]["failed"]) == {"q3", "q4"}
    (theirs.mood / "broken").unlink()
    theirs.asked()
    at = theirs.at()
    second = theirs.run(asks=2, resume=True, retry_failed=True)
    assert theirs.searches(at).keys() == {
        (unit, query, number)
        for unit, query, number in theirs.committed()
        if query in ("q3", "q4") and (unit, query, number) in theirs.searches(at)
    }
    assert {query for _, query, _ in theirs.searches(at)} == {"q3", "q4"}
    asked = theirs.asked()
    trial = 1  # before anything begins, a system is asked one query, to see whether it is there
    assert asked["q3"] + asked["q4"] >= 4
    assert sum(asked.values()) - asked["q3"] - asked["q4"] <= trial
    assert not second["runs"][0]["failed"]
    assert second["id"] == first["id"]
    assert theirs.states() == ["completed"]


def test_a_plain_run_asks_a_system_again_and_resuming_a_failed_one_does_not(theirs):
    (theirs.mood / "broken").touch()
    first = theirs.run(asks=1)
    assert first["runs"][0]["failed"]
    theirs.ask("UPDATE benchmarks SET state = 'running'")  # as if it was killed at the very end
    stored, at = theirs.tapes(), theirs.at()
    wrong = {key: row for key, row in stored.items() if row[1]}
    assert {query for _, query, _ in wrong} == {"q3", "q4"}
    (theirs.mood / "broken").unlink()
    report = theirs.run(asks=1, resume=True)
    assert set(report["runs"][0]["failed"]) == {"q3", "q4"}
    assert not set(stored) & theirs.searches(at).keys()


def test_queries_that_the_machine_failed_at_are_asked_again_by_who_resumes(theirs):
    (theirs.mood / "full").touch()
    assert set(theirs.run(asks=1)["runs"][0]["failed"]) == {"q3", "q4"}
    theirs.ask("UPDATE benchmarks SET state = 'running'")  # as if it was killed at the very end
    (theirs.mood / "full").unlink()
    at = theirs.at()
    assert not theirs.run(asks=1, resume=True)["runs"][0]["failed"]
    assert {query for _, query, _ in theirs.searches(at)} == {"q3", "q4"}


@pytest.mark.parametrize(
    ("problem", "code"),
    [("there is no space left on the disk (No space left on device)", 0), ("it is no index", 2)],
)
def test_an_index_is_built_again_by_who_resumes_after_a_full_disk(
    counted, monkeypatch, capsys, problem, code
):
    place = counted(WORDS)
    command = ["run", str(place.file), "--workspace", str(place.workspace), "--asks", "1"]

    def full(*_, **__):
        raise InputError(problem, where="index", hint="look after it")

    with monkeypatch.context() as patch:
        patch.setattr(OpenIndexes, "make", full)
        assert start(command) == 2
    assert problem in capsys.readouterr().err
    assert start([*command, "--resume"]) == code


def test_what_failed_before_a_kill_is_retried_on_request(theirs):
    for mood in ("broken", "slow"):
        (theirs.mood / mood).touch()
    child = theirs.start(asks=1)
    until = time.monotonic() + 120
    while len(theirs.committed()) < 5 and time.monotonic() < until:
        time.sleep(0.02)
    child.kill()
    child.communicate(timeout=60)
    stored, at = theirs.tapes(), theirs.at()
    wrong = {key for key, row in stored.items() if row[1]}
    assert {query for _, query, _ in wrong} == {"q3", "q4"}
    for mood in ("broken", "slow"):
        (theirs.mood / mood).unlink()
    report = theirs.finish(asks=1, resume=True, retry_failed=True)
    assert not report["runs"][0]["failed"]
    times = theirs.times()  # which come along with what is found
    assert stored.keys() & theirs.searches(at).keys() == {
        key for key in wrong if key[0] not in times
    }


def answers(place):
    """Return what is on the tapes but for accounts of structure, which tell times."""
    return {key: found for key, found in place.tapes().items() if key[2] < STUDIED}


def test_a_live_run_is_gone_on_with_like_any_other(counted, without_times, differences):
    graph = {"search": "dense", "model": "static", "dense": "hnsw", "depth": 50, "top_k": 20}
    searches = [
        {"name": "graph", **graph},
        {"name": "ranked", **graph, "dense": "exact", "coherence": True},
    ]
    alone, place = counted(searches), counted(searches)
    report = without_times(alone.finish(asks=2, live=True))
    assert "dense_recall" in report["runs"][0]["indexing"]
    child = place.start(asks=2, live=True)
    until = time.monotonic() + 120
    while len(place.committed()) < 30 and time.monotonic() < until:
        time.sleep(0.005)
    child.kill()
    child.communicate(timeout=60)
    stored, at = set(place.committed()), place.at()
    found = differences(report, without_times(place.finish(asks=2, live=True, resume=True)))
    assert not found, [path for path, *_ in found]
    assert answers(place) == answers(alone)
    assert place.tapes().keys() == alone.tapes().keys()
    assert not stored & place.searches(at).keys()
    more = place.run(asks=3, live=True)
    assert [one["latency_ms"]["repeats"] for one in more["runs"]] == [3, 3]


@posix
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupt", "terminate"]
)
def test_a_signal_leaves_what_can_be_gone_on_with(sent, code, theirs):
    (theirs.mood / "slow").touch()
    command = [sys.executable, "-m", "assay", "run", str(theirs.file), "--json"]
    command += ["--workspace", str(theirs.workspace)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # Whoever is started in the background is started deaf to interrupts.
    hears = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    child = subprocess.Popen(command, **pipes, preexec_fn=hears)
    until = time.monotonic() + 120
    while not theirs.committed() and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(sent)
    out, said = child.communicate(timeout=60)
    assert (child.returncode, out) == (code, "")
    assert "--resume" in said
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) <= 2
    assert theirs.states() == ["interrupted"]
    kept = set(theirs.committed())
    assert kept
    (theirs.mood / "slow").unlink()
    theirs.asked()
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert theirs.states() == ["completed"]
    assert json.loads(done.stdout)["status"] == "completed"


@pytest.fixture
def faulty(monkeypatch):
    """Give every connection to a ledger a limit that SQLite itself keeps, as a disk would."""
    opened = _database._connected
    limits = []

    def limited(path):
        connection = opened(path)
        for one in limits:
            connection.execute(one)
        return connection

    monkeypatch.setattr(_database, "_connected", limited)
    return limits


@pytest.mark.parametrize(
    ("limit", "problem"),
    [("PRAGMA max_page_count = 110", "full"), ("PRAGMA query_only = ON", "read")],
    ids=["full", "read-only"],
)
def test_a_ledger_that_cannot_be_written_is_one_message(limit, problem, counted, faulty, capsys):
    place = counted(WORDS)
    command = ["run", str(place.file), "--workspace", str(place.workspace), "--asks", "40"]
    faulty.append(limit)
    assert start(command) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("error:") == 1
    assert problem in said.err
    assert "ledger.sqlite" in said.err
    assert "hint:" in said.err
    assert "Traceback" not in said.err
    stored = set(place.committed())
    assert bool(stored) == (problem == "full")  # it was full in the middle of a search
    faulty.clear()
    assert start([*command, "--resume"]) == 0
    assert stored < set(place.committed())
    assert set(place.states()) == {"completed"}
    assert "failed" not in capsys.readouterr().out
