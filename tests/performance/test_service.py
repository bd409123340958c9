"""The measurements of the service at small sizes: they count right, whatever the machine does."""

import doctest

import pytest
from performance.service import figures, viewers
from performance.service.cancel import time_cancellations
from performance.service.lists import measure_lists
from performance.service.start import start
from performance.service.viewers import lags, unlike, unseen, watch_benchmark

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]


@pytest.mark.parametrize("module", [figures, viewers])
def test_figures_are_as_their_examples(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def test_viewers_of_two_processes_miss_nothing(tmp_path):
    found = watch_benchmark(tmp_path, number=12, processes=2, queries=20, asks=3)
    assert len(found.received) == 12
    assert unseen([lag for one in found.received for lag in lags(found.observed, one["seen"])]) == 0
    assert unlike(found) == 0


def test_lists_are_those_of_the_bare_handler(tmp_path):
    found = measure_lists(tmp_path, number=500, requests=5, turns=2)
    assert {len(ours.taken_ms) for ours, _ in found.values()} == {10}
    assert min(ours.p50 for ours, _ in found.values()) > 0


def test_a_start_is_measured_until_its_first_answer(tmp_path):
    found = {one.what: one.value for one in start(tmp_path, starts=1)}
    assert 1 < found["memory of the idle API process (RSS)"] < 1000
    assert found["start to first answer, new workspace, median of 1"] > 0.05


def test_cancellations_are_measured(tmp_path):
    assert len(time_cancellations(tmp_path, times=2)) == 2
