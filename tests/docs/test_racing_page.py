"""docs/racing.md has each key of a race, of its settings and of what is told."""

import re
from pathlib import Path

import numpy as np
import pytest

from assay.benchmarks.file.criteria import RACE
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.race.account import race_account
from assay.benchmarks.race.order import Order
from assay.records import RaceStanding

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "racing.md").read_text()


def test_settings_and_defaults_are_those_of_the_program():
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", TEXT, re.MULTILINE)

    assert dict(rows) == {name: str(value) for name, value in RACE.items()}


@pytest.fixture
def raced():
    file = {"dataset": "stdlib", "race": True, "configurations": [{"name": "a"}]}
    stopped = RaceStanding(
        after=np.array([0, 1]), e_values=np.array([0.0, 25.0]), by=np.array([0, 0])
    )
    return race_account(
        stopped,
        {"a": [1.0, 1.0], "b": [0.0]},
        asked={"a": 0, "b": 1},
        order=Order(("q1", "q2"), (1, 2), np.ones(2), np.zeros(2, np.int64), 1),
        benchmark=read_benchmark(file),
        queries=2,
        fellows={},
        seed=0,
    )


def test_each_key_of_a_race_is_there(raced):
    part = TEXT.partition("\n## What the report has\n")[2].partition("\n## ")[0]

    assert raced["beaten"]
    for key in (*raced, *raced["beaten"][0]):
        assert f"`{key}`" in part, key


def test_the_guarantee_is_that_of_the_report(raced):
    said = " ".join(TEXT.split())

    assert "stopped with a probability of at most `alpha` (.05), over the random order" in said
    assert "for a random order of the queries and any number of interim tests" in raced["statement"]
