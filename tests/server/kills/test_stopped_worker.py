"""A worker is stopped past its lease: another one takes over, and the first writes nothing more."""

import os
import random
import signal
import sqlite3
import sys
import time
from collections import Counter
from contextlib import closing

import pytest
from tests.server.kills.kill_work import has_ended
from tests.server.kills.processes import children, wait_until, worked

pytestmark = [pytest.mark.service, pytest.mark.timeout(1_800)]
LEASE_S = 1.5
TRIES = 5  # to stop a worker before the benchmark has ended
PATIENCE_S = 1.0  # for whoever holds the lock of the database
TABLES = ("benchmarks", "runs", "units", "steps", "needs", "uses", "tapes", "recorded")
MARKS = ("seen", "used", "worker")  # who looked last, and when


def test_a_worker_that_is_stopped_past_its_lease_writes_nothing_more(work, kills):
    chance, hits = random.Random(23), Counter()
    with work.service("--workers", 2, env={"ASSAY_LEASE_S": str(LEASE_S)}) as service:
        work.fill(service)
        length = min(undisturbed(work, service) for _ in range(4))  # each worker imports once
        for _ in range(kills.number // 2):
            share = chance.random()
            for _ in range(TRIES):
                if at := stop_one(work, service, share * length):
                    break
            hits[at or "it had ended"] += 1
    kills.log(f"service, stopped worker: during {dict(sorted(hits.items()))}; all reports equal")
    sys.stdout.write(f"\nworkers stopped during {dict(hits)}; {length:.2f} s of work\n")
    assert hits.total() > hits["it had ended"]


def undisturbed(work, service):
    """Return the seconds of CPU that a benchmark takes which nobody disturbs."""
    before = sum(map(worked, children(service.process, 2)))
    work.undisturbed(service)
    return sum(map(worked, children(service.process, 2))) - before


def stop_one(work, service, seconds):
    """Stop the worker of a new benchmark; return what it was at, "" if the benchmark had ended."""
    id_ = work.create(service)
    began = {pid: worked(pid) for pid in children(service.process, 2)}
    work.start(service, id_)
    found = wait_until(lambda: work.workers_of(id_) or has_ended(service, id_))
    if found is True:
        return ""
    (pid,) = found
    while worked(pid) < began[pid] + seconds and not has_ended(service, id_):
        time.sleep(0.005)
    stop(work, pid)
    try:
        if not (at := work.progress(id_)):
            return ""
        ended = work.finish(service, id_)  # by the other worker
        assert (ended["state"], ended["error"]) == ("completed", "")
        work.compare(service, id_)
        wait_until(lambda: len(news(service, id_)) == 1)
        before = content(work)
    finally:
        os.kill(pid, signal.SIGCONT)
    wait_until(lambda: len(news(service, id_)) == 2)  # the stopped one is done with it, too
    assert content(work) == before
    return at


def stop(work, pid):
    """Stop a process, at a moment at which it does not hold the lock of the database."""
    while True:
        os.kill(pid, signal.SIGSTOP)
        try:
            with closing(sqlite3.connect(work.place.database, timeout=PATIENCE_S)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                return
        except sqlite3.OperationalError:  # all others would wait for it
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.01)


def news(service, id_):
    """List what workers said of the end of a benchmark."""
    return [line for line in service.log if f"({id_})" in line]


def content(work):
    """Return all that is stored of benchmarks."""
    found = {}
    for table in TABLES:
        rows = work.select(f"SELECT * FROM {table}")
        found[table] = [{key: row[key] for key in row.keys() - set(MARKS)} for row in rows]
    return found
