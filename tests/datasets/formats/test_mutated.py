"""Whatever a file holds, it is refused with an error of ours or read as a valid dataset."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(number, seed):
    """Break and load inputs in a process of their own, whose memory is theirs alone."""
    command = [sys.executable, "-m", "tests.datasets.formats.mutate", str(number), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def fine(tally, number):
    assert not tally["failures"], json.dumps(tally["failures"], indent=2)
    assert tally["inputs"] == number
    assert tally["read"] > number / 10  # mutations that only ever break everything prove little
    assert tally["refused"] > number / 10
    assert tally["slowest_s"] < 2
    assert tally["growth_mb"] < 200
    assert tally["peak_mb"] < 400


def test_hundreds_of_broken_inputs():
    fine(run(300, 11), 300)


@pytest.mark.long
def test_ten_thousand_broken_inputs():
    fine(run(10_000, 12), 10_000)
