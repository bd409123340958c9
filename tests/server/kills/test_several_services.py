"""Two processes of the service and three workers on one store: each benchmark is done once."""

import random
import sys
import threading
import time
from collections import Counter

import pytest
from tests.server.kills.kill_work import accepted
from tests.server.kills.processes import wait_until
from tests.server.kills.watcher import Watcher

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]
PARALLEL = (1, 3, 1, 2, 3)  # workers that may share a benchmark, each of these
ACTIONS = ("start", "cancel", "resume", "retry")
BENCHMARKS = "/api/v1/benchmarks"
LONG_S = 30.0  # for which nobody should have to wait until what was cancelled has stopped


def test_benchmarks_of_two_services_are_each_done_once(any_work, kills):
    work = any_work
    with work.two_services() as (one, two, _):
        work.fill(one)
        work.undisturbed(two)
        since = work.logged()
        with Watcher(one.base, one.token) as first, Watcher(two.base, two.token) as second:
            ids = [work.create(one, parallel=parallel) for parallel in PARALLEL]
            for id_ in ids:
                answers = at_once(one, two, f"{BENCHMARKS}/{id_}/start")
                assert sorted(answers) == [202, 409]
            completed = dict.fromkeys(ids, "completed")
            first.wait_for(completed)
            second.wait_for(completed)
        for id_ in ids:
            work.compare(one, id_)
            assert {unit["fence"] for unit in work.units(id_)} == {1}  # claimed once
        assert set(work.searched(since).values()) == {len(PARALLEL)}
        stopped_s = cancel(work, one, two)
        kills.log(
            f"two services with three workers, {work.kind}: cancelled within {stopped_s:.1f} s"
        )
        sys.stdout.write(f"\ncancelled within {stopped_s:.2f} s ({work.kind})\n")


def cancel(work, one, two):
    """Cancel by one service what the other one has started; return how long that took."""
    id_ = work.create(one, function="slow", searches=(), settings={"asks": 30}, parallel=3)
    work.start(one, id_)
    wait_until(lambda: len(work.workers_of(id_)) == 3)
    began = time.monotonic()
    accepted(two.ask("POST", f"{BENCHMARKS}/{id_}/cancel"))
    for service in (one, two):
        assert work.finish(service, id_)["state"] == "cancelled"
    wait_until(lambda: not work.workers_of(id_))
    took = time.monotonic() - began
    assert took < LONG_S
    return took


def test_requests_of_two_services_at_the_same_time_leave_one_result(any_work):
    chance = random.Random(24)
    work = any_work
    with work.two_services() as (one, two, _):
        work.fill(one)
        work.undisturbed(one)
        id_ = work.create(one)
        answers = Counter()
        for _ in range(12):
            action = chance.choice(ACTIONS)
            answers.update(at_once(one, two, f"{BENCHMARKS}/{id_}/{action}"))
            time.sleep(chance.random() * 0.3)
        assert answers.keys() <= {202, 409}
        place = f"{BENCHMARKS}/{id_}"
        if accepted(one.ask("GET", place))["state"] == "pending":
            work.start(one, id_)
        state = work.finish(two, id_)["state"]
        if state != "completed":
            assert state == "cancelled"
            accepted(two.ask("POST", f"{place}/resume"))
        assert work.finish(one, id_)["state"] == "completed"
        work.compare(two, id_)


def at_once(one, two, path):
    """Send a request to both services at the same time, and return both statuses."""
    answers, barrier = [], threading.Barrier(2)

    def send(service):
        barrier.wait(60.0)
        answers.append(service.ask("POST", path)[0])

    senders = [threading.Thread(target=send, args=(service,)) for service in (one, two)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(60.0)
    return answers
