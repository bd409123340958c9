"""Processes that make, use and remove the same builds at once, and are killed meanwhile."""

import os
import random
import runpy
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from assay.workspace.builds import Builds

PROGRAM = Path(__file__).with_name("builders.py")
whole = runpy.run_path(str(PROGRAM))["whole"]


def start(folder, times, seed):
    command = [sys.executable, str(PROGRAM), str(folder), str(times), str(seed)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def check(folder):
    """All that is complete is whole; what was left is swept away."""
    with closing(Builds(folder)) as builds:
        for key in builds.sizes():
            assert whole(builds.place(key))
    builds.sweep()
    left = {each.name for each in folder.iterdir()} - {".gitignore"}
    assert left == set(builds.sizes())


def test_three_processes_at_once(place):
    processes = [start(place / "builds", 40, seed) for seed in range(3)]
    for process in processes:
        assert process.communicate(timeout=120)[1] == ""
        assert process.returncode == 0
    check(place / "builds")


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_kills_at_any_time(place, kills):
    folder, chance = place / "builds", random.Random(6)
    folder.mkdir()
    left = 0
    for seed in range(kills.number):
        process = start(folder, 10_000, seed)
        time.sleep(chance.uniform(0.05, 0.4))
        process.kill()
        assert process.communicate(timeout=60)[1] == ""
        left += any(each.name.endswith((".part", ".gone")) for each in folder.iterdir())
        check(folder)
    kills.log(f"builds: {left} of {kills.number} left half a build behind; all were swept away")
    assert left >= 5 or not kills.are_many  # else the kills missed what they were meant for
