"""A worker of the service is killed at random times: its benchmark ends by itself, as if not."""

import os
import random
import signal
import sys
import time
from collections import Counter

import pytest
from tests.server.kills.kill_work import has_ended
from tests.server.kills.processes import children, is_there, wait_until, worked

from assay.benchmarks.work.ask import BATCH

pytestmark = [pytest.mark.service, pytest.mark.timeout(1_200)]
TRIES = 5  # to hit a benchmark before it has ended


def test_killed_workers_lose_nothing_and_do_nothing_twice(work, kills):
    with work.service("--workers", 1) as service:
        work.fill(service)
        work.undisturbed(service)  # the first one also imports what workers need
        before = worked(*children(service.process))
        work.undisturbed(service)
        length = worked(*children(service.process)) - before
        chance, hits = random.Random(21), Counter()
        for _ in range(kills.number):
            share = chance.random()
            for _ in range(TRIES):
                if at := one_kill(work, service, share * length):
                    break
            hits[at or "it had ended"] += 1
        kills.log(f"service, worker: killed during {dict(sorted(hits.items()))}; all reports equal")
        sys.stdout.write(
            f"\nworkers killed during {dict(hits)}; a benchmark is {length:.2f} s of work\n"
        )
    assert hits.total() == kills.number
    if kills.are_many:
        assert hits["builds"]
        assert hits["searches"]


def one_kill(work, service, seconds):
    """Kill the worker of a new benchmark; return what it was at, "" if the benchmark had ended."""
    id_, (pid,) = work.create(service), children(service.process)
    since, before = work.logged(), worked(pid)
    work.start(service, id_)
    while worked(pid) < before + seconds and not has_ended(service, id_):
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_there(pid))
    known, middle = work.recorded(id_), work.logged()
    at = work.progress(id_)
    ended = work.finish(service, id_)  # nobody resumes it
    assert (ended["state"], ended["error"]) == ("completed", "")
    work.compare(service, id_)
    searched, again = work.searched(since), work.searched(middle)
    assert not known & {query for _, query in again}  # what was recorded is not searched again
    if at:
        assert set(searched.values()) <= {1, 2}
        assert sum(searched.values()) <= len(searched) + BATCH
    else:
        assert set(searched.values()) == {1}
    claims = sum(one["fence"] for one in work.units(id_))
    assert claims <= len(work.units(id_)) + bool(at)  # only the unit that it worked on
    return at
