"""Whoever began a benchmark may die: any other process finishes it, with the same report."""

import json
import os
import random
import signal
import time

import psutil
import pytest

from assay.workflows.run import run

ASKS = 6
PATIENCE_S = 120
posix = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="the system knows no signal that cannot be caught"
)
pytestmark = posix


def wait_for(look):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def killed(child, seconds=0.0):
    """Kill a process after some more seconds; tell whether it was there to be killed."""
    time.sleep(seconds)
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=60)
    return child.returncode == -signal.SIGKILL


def finished(child):
    out, complaint = child.communicate(timeout=300)
    assert child.returncode == 0, complaint
    return out


@pytest.fixture(params=["sqlite", "postgresql"])
def make_place(request, counted):
    """Make a benchmark in a workspace of its own; its ledger is a file, or in PostgreSQL."""
    if request.param == "sqlite":
        return counted
    make = request.getfixturevalue("make_database")
    return lambda: counted(url=make())


@pytest.fixture
def place(make_place):
    return make_place()


@pytest.fixture(scope="module")
def alone(counted, without_times):
    """The report of a run that nobody disturbed, and how long it took once it had begun."""
    place = counted()
    child = place.start(asks=ASKS)
    wait_for(place.begun)
    began = time.monotonic()
    place.report = without_times(place.finish(child))
    place.seconds = time.monotonic() - began
    return place


def test_another_process_finishes_what_a_killed_one_began(place, alone, without_times, differences):
    first = place.start(asks=ASKS)
    id_ = wait_for(place.begun)
    other = place.work(id_)
    wait_for(place.committed)
    assert killed(first)
    assert id_ in finished(other)
    assert place.states() == ["completed"]
    assert not differences(without_times(place.report()), alone.report)
    assert place.tapes() == alone.tapes()


def test_a_process_that_knows_only_the_id_finishes_alone(place, alone, without_times, differences):
    first = place.start(asks=ASKS)
    wait_for(place.committed)
    assert killed(first)
    assert finished(place.work(place.begun()[:8])).split()[-1] == "completed"
    assert not differences(without_times(place.report()), alone.report)
    assert "nothing to do" in place.work().communicate(timeout=60)[1]


def test_who_helps_a_killed_process_goes_on_without_it(counted, alone, without_times, differences):
    place = counted()
    first = place.start(asks=60, parallel=2)

    def helpers():
        below = psutil.Process(first.pid).children()
        return [one for one in below if "spawn_main" in " ".join(one.cmdline())]

    helping = wait_for(helpers)
    wait_for(place.committed)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate(timeout=PATIENCE_S)
    ended, left = psutil.wait_procs(helping, timeout=PATIENCE_S)
    assert (len(ended), left) == (1, [])
    assert place.states() == ["completed"]
    told = without_times(place.report())
    told["benchmark"]["asks"] = ASKS
    found = [one for one in differences(told, alone.report) if not one[0].startswith("/plan")]
    assert not [one for one in found if "searches" not in one[0]]


def test_a_worker_helps_who_is_at_work_and_both_have_the_same_report(
    place, alone, without_times, differences
):
    first = place.start(asks=ASKS)
    other = place.work(wait_for(place.begun))
    assert not differences(without_times(place.finish(first)), alone.report)
    finished(other)
    assert not differences(without_times(place.report()), alone.report)


def test_a_benchmark_whose_data_changed_is_not_gone_on_with(counted, tmp_path):
    """The names of its work say what was searched: they must not be given to anything else."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("red apple")

    def judge(grade):
        judged = [{"doc_ref": {"path": "a.md"}, "relevance_grade": grade}]
        query = {"query_key": "q", "query_text": "apple", "relevant_docs": judged}
        (tmp_path / "queries.json").write_text(json.dumps({"queries": [query]}))

    judge(1)
    place, words = counted(), [{"name": "words", "search": "lexical"}]
    about = {"dataset": str(tmp_path / "queries.json"), "corpus": str(tmp_path / "docs")}
    place.file.write_text(json.dumps({**about, "configurations": words}))
    run(place.file, workspace=place.workspace, asks=1)
    place.ask("UPDATE benchmarks SET state = 'running', report = NULL")
    place.ask("UPDATE units SET state = 'pending' WHERE kind = 'report'")
    (tmp_path / "docs" / "a.md").write_text("green apple")
    child = place.work()
    out, complaint = child.communicate(timeout=60)
    assert (child.returncode, out.split()[-1]) == (1, "failed")
    assert "the corpus changed" in complaint
    (tmp_path / "docs" / "a.md").write_text("red apple")
    judge(2)
    place.ask("UPDATE benchmarks SET state = 'running', report = NULL")
    assert "the dataset changed" in place.work().communicate(timeout=60)[1]


@pytest.mark.long
@pytest.mark.parametrize("others", ["another process", "a third one, alone"])
def test_a_run_is_killed_at_seeded_times_and_others_finish_it(
    make_place, alone, without_times, differences, kills, others
):
    """At 8 seeded times in CI, at 50 with `make kills`; each in a workspace of its own.

    One that was faster than the kill is finished, too, and does not count.
    """
    draw, hits, tries = random.Random(17), 0, 0
    while hits < kills.number and tries < 3 * kills.number:
        place, share = make_place(), draw.random()
        tries += 1
        first = place.start(asks=ASKS)
        id_ = wait_for(place.begun)
        other = place.work(id_) if others == "another process" else None
        hits += killed(first, share * alone.seconds)
        finished(other or place.work(id_))
        assert not differences(without_times(place.report()), alone.report)
        assert place.states() == ["completed"]
    where = "PostgreSQL" if place.url else "SQLite"
    kills.log(f"{others} finishes, {where}: {hits} of {tries} hit; all reports equal")
    assert hits == kills.number
