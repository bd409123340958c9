"""A machine that was suspended wakes up after another one has taken its times over."""

import json
import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

MACHINE = Path(__file__).with_name("machine_process.py")
ASKS = 60
QUERIES = 18
PATIENCE_S = 120
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not hasattr(signal, "SIGSTOP"), reason="the system knows no signal that suspends"
    ),
]


def wait_for(look):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def start(place, host, cores, **given):
    about = {"host": host, "cores": cores, "patience_s": 2.0, "workspace": str(place.workspace)}
    return place._started([sys.executable, str(MACHINE), json.dumps({**about, **given})])


def is_free(place):
    """Tell whether the ledger can be written: one that is suspended may hold its lock."""
    with closing(sqlite3.connect(place.workspace / "ledger.sqlite", timeout=0.1)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.rollback()
        return True


def suspend(place, child):
    def try_to():
        os.kill(child.pid, signal.SIGSTOP)
        if is_free(place):
            return True
        os.kill(child.pid, signal.SIGCONT)
        return False

    wait_for(try_to)


@pytest.mark.parametrize("race", [False, True], ids=["all", "race"])
@pytest.mark.parametrize("delay", [0.0, 1.0])
def test_it_leaves_the_times_to_the_other(counted, delay, race):
    place = counted()
    told = json.loads(place.file.read_text())
    place.file.write_text(json.dumps({**told, **({"race": {"first": 5}} if race else {})}))
    options = {"asks": ASKS, **({"race": True} if race else {})}
    first = start(place, "one", 11, file=str(place.file), options=options)
    benchmark = wait_for(place.begun)
    wait_for(place.committed)
    machine = place.ask("SELECT machine FROM benchmarks")
    time.sleep(delay)
    suspend(place, first)
    other = start(place, "two", 22, id=benchmark)
    wait_for(lambda: place.ask("SELECT machine FROM benchmarks") != machine)
    os.kill(first.pid, signal.SIGCONT)
    ends = [(*one.communicate(timeout=300), one.returncode) for one in (first, other)]
    assert [code for _, _, code in ends] == [0, 0], [complaint for _, complaint, _ in ends]
    reports = [json.loads(out) for out, _, _ in ends]
    assert reports[0] == reports[1] == place.report()
    assert reports[0]["environment"]["cores"] == 22
    for run in reports[0]["runs"]:
        if run["status"] == "completed":
            assert run["latency_ms"]["samples"] == QUERIES
            assert run["latency_ms"]["repeats"] == ASKS
