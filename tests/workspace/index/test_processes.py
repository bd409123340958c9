"""Processes that are killed, and processes that write the same index at once."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

WRITERS = Path(__file__).with_name("writers.py")


def start(*arguments):
    # Later Pythons warn of any fork beside other threads, such as those of numpy.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", str(WRITERS)]
    command += [str(each) for each in arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(process):
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    return out


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to fork with")
def test_a_killed_writer_leaves_the_old_index_and_the_next_one_works(store):
    lines = output(start("killed", store.folder, 30, 4)).splitlines()
    results = [json.loads(line) for line in lines]
    assert len(results) == 30
    unfinished = 0
    for was_killed, before, after, following in results:
        (old,), (new,) = before, after
        assert new in ((old, old + 1) if was_killed else (old + 1,))
        assert following == [new + 1]
        unfinished += new == old
    assert unfinished >= 10  # else the kills missed what they were meant for


def test_two_processes_at_once(store):
    for process in [start("counting", store.folder, 15) for _ in range(2)]:
        output(process)
    with closing(store.snapshot()) as snapshot:
        assert snapshot.generation == len(snapshot.documents) == 30
        assert (snapshot.lexical / "count").read_text() == "30"
    assert sorted(each.name for each in store.folder.glob("lexical-*")) == [
        "lexical-29",
        "lexical-30",
    ]
