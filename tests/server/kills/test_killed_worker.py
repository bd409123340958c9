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
    assert hits["it had ended"] <= kills.number // 4
    if kills.are_many:
        assert hits["builds"]
        assert hits["searches"]


def test_one_of_three_workers_of_two_services_is_killed(any_work, kills):
    """They share each benchmark; half as many kills, as these are for two kinds of databases."""
    work, chance, hits = any_work, random.Random(25), Counter()
    with work.two_services() as (one, two, workers):
        work.fill(one)
        length = min(work_of_one(work, one, workers) for _ in range(3))
        for _ in range(kills.number // 2):
            id_ = work.create(one, parallel=3)
            pids, since = pids_of(workers), work.logged()
            until = sum(map(worked, pids)) + chance.random() * length
            work.start(two, id_)
            while sum(map(worked, pids)) < until and not has_ended(two, id_):
                time.sleep(0.005)
            victim = chance.choice([pid for pid in work.workers_of(id_) if pid in pids] or pids)
            os.kill(victim, signal.SIGKILL)
            wait_until(lambda pid=victim: not is_there(pid))
            known, middle = work.recorded(id_), work.logged()
            hits[work.progress(id_) or "it had ended"] += 1
            ended = work.finish(one, id_)
            assert (ended["state"], ended["error"]) == ("completed", "")
            work.compare(two, id_)
            assert not known & {query for _, query in work.searched(middle)}
            assert set(work.searched(since).values()) <= {1, 2}
            claims = sum(unit["fence"] for unit in work.units(id_))
            assert claims <= len(work.units(id_)) + 1
    assert hits["it had ended"] < hits.total() / 2
    told = f"two services, one of three workers, {work.kind}: during {dict(sorted(hits.items()))}"
    kills.log(f"{told}; all reports equal")
    sys.stdout.write(f"\n{told}\n")


def work_of_one(work, service, workers):
    """Return the seconds of CPU that an undisturbed benchmark takes."""
    before = sum(map(worked, pids_of(workers)))
    work.undisturbed(service)
    return sum(map(worked, pids_of(workers))) - before


def pids_of(workers):
    """Return the processes that work for processes of `assay worker`."""
    return [pid for one in workers for pid in children(one)]


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
