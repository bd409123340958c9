"""A run is killed at random times: nothing is lost, stored twice, or searched again."""

import math
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import psutil
import pytest

from assay.benchmarks.work.ask import BATCH, WARM_UP

ASKS = 6
PARTS = 2  # of the kills: each a test, so that several processes may run them
TRIES = 5  # to hit a run before it is over, on a machine that others use, too
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not hasattr(signal, "SIGKILL"), reason="the system knows no signal that cannot be caught"
    ),
]


@dataclass
class Undisturbed:
    """A run that nobody kills: what it comes to, and how long it takes."""

    report: dict[str, Any]
    tapes: dict[Any, Any]
    seconds: float
    differing: Callable[..., list[Any]]

    @property
    def shared(self):
        """How long each of two works that share it, about: both have to start."""
        return 0.7 * self.seconds

    def differences(self, report):
        """List where another report is another."""
        return self.differing(self.report, report)


@pytest.fixture(scope="module")
def undisturbed(counted, without_times, differences):
    counted().finish(asks=ASKS)  # the model is prepared, and files are in memory
    place = counted()
    child, seconds = place.start(asks=ASKS), 0.0
    while child.poll() is None:
        seconds = max(seconds, min(worked(child), 1e3))
        time.sleep(0.005)
    report = place.finish(child)
    return Undisturbed(without_times(report), place.tapes(), seconds, differences)


def shares(seed, number):
    """Draw when to kill, as shares of the time that an undisturbed run takes."""
    draw = random.Random(seed)
    return [draw.random() for _ in range(number)]


def kill(child, seconds):
    """Kill a process once it has worked so long; tell whether it was there to be killed.

    Its own time counts, not that of the clock: a machine that others use, too, is slow at times.
    """
    while child.poll() is None and worked(child) < seconds:
        time.sleep(0.001)
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=60)
    return child.returncode == -signal.SIGKILL


def worked(child):
    """Return the seconds that a process has worked."""
    try:
        times = psutil.Process(child.pid).cpu_times()
    except psutil.Error:
        return math.inf
    return times.user + times.system


def say(what):
    """Leave a line to whoever looks at the test: ``pytest -rP``."""
    sys.stdout.write(f"{what}\n")


def progress(place):
    """Tell what a run that was killed was at."""
    if not place.executed():
        return "start"
    if not place.searches():
        return "builds"
    left = place.ask("SELECT count(*) FROM units WHERE state <> 'completed'")[0][0]
    return "searches" if left else "summing up"


def looked_at(place):
    """Note what is stored, and only then what was searched."""
    return set(place.committed()), place.at()


def is_whole(place, undisturbed, report, kills, looks):
    """Compare with an undisturbed run, and count what was searched.

    Whoever comes after the end begins another benchmark, and takes the times again that were taken
    while two worked.
    """
    assert not undisturbed.differences(report)
    assert place.tapes() == undisturbed.tapes
    timed_again = place.times() if len(place.states()) > 1 else set()
    for stored, since in looks:
        again = {one for one in stored & place.searches(since).keys() if one[0] not in timed_again}
        assert not again  # no finished search is done again
    executed, claims = place.searches(), place.ask("SELECT sum(fence) FROM units")[0][0]
    # What is found is timed at once: its first times are recorded with it, without a search.
    alike = {key for key in undisturbed.tapes if key[0] in place.times() and key[2] == 0}
    assert executed.keys() <= undisturbed.tapes.keys() <= executed.keys() | alike
    # A kill loses what was not yet recorded; every claim warms up.
    most = len(undisturbed.tapes) + kills * BATCH + claims * WARM_UP
    assert sum(n for one, n in executed.items() if one[0] not in timed_again) <= most
    assert set(place.states()) == {"completed"}


@pytest.mark.parametrize("part", range(PARTS))
def test_a_run_is_killed_at_random_times(part, counted, without_times, undisturbed, kills):
    hits = Counter()
    for number, share in enumerate(shares(6, kills.number)[part::PARTS]):
        for _ in range(TRIES):
            place = counted()
            seconds = share * undisturbed.seconds
            if kill(place.start(resume=True, asks=ASKS), seconds):
                break
        at = progress(place)
        say(f"kill {number + 1} after {seconds:.3f} s ({share:.1%} of a run): {at}")
        hits[at] += 1
        look = looked_at(place)
        report = without_times(place.finish(resume=True, asks=ASKS))
        is_whole(place, undisturbed, report, 1, [look])
    kills.log(f"run, one worker, part {part + 1}: killed during {dict(hits)}; all reports equal")
    if kills.are_many:
        assert hits["builds"]
        assert hits["searches"]


@pytest.mark.parametrize("part", range(PARTS))
def test_one_of_two_workers_is_killed(part, counted, without_times, undisturbed, kills):
    hits = Counter()
    for number, share in enumerate(shares(66, kills.number)[part::PARTS]):
        place = counted()
        children = [place.start(resume=True, asks=ASKS) for _ in range(2)]
        killed = kill(children[number % 2], share * undisturbed.shared)
        hits[progress(place) if killed else "it had ended"] += 1
        look = looked_at(place)
        report = without_times(place.finish(children[1 - number % 2]))
        is_whole(place, undisturbed, report, int(killed), [look])
    kills.log(f"run, one of two workers, part {part + 1}: {dict(hits)}; all reports equal")


@pytest.mark.parametrize("part", range(PARTS))
def test_both_workers_are_killed(part, counted, without_times, undisturbed, kills):
    hits = Counter()
    for pair in pairwise(shares(666, kills.number + 1)[part::PARTS]):
        place, looks, killed = counted(), [], 0
        children = [place.start(resume=True, asks=ASKS) for _ in range(2)]
        for child, share in zip(children, sorted(pair), strict=True):
            hit = kill(child, share * undisturbed.shared)
            killed += hit
            hits[progress(place) if hit else "it had ended"] += 1
            looks.append(looked_at(place))
        two = [place.start(resume=True, asks=ASKS) for _ in range(2)]
        for child in two:
            report = without_times(place.finish(child))
            assert not undisturbed.differences(report)
        is_whole(place, undisturbed, report, killed, looks)
    kills.log(f"run, both workers, part {part + 1}: {dict(hits)}; all reports equal")
