"""The service is stopped by SIGTERM, or a worker by its memory: neither leaves half a result."""

import signal
import sys

import pytest
from tests.server.kills.kill_work import accepted
from tests.server.kills.processes import children, gone, wait_until

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]
END_S = 60.0


def test_a_service_that_is_terminated_hands_its_work_back(work):
    with work.service("--workers", 2) as service:
        work.fill(service)
        work.undisturbed(service)
        pids, id_ = children(service.process, 2), work.create(service, parallel=2)
        since = work.logged()
        work.start(service, id_)
        wait_until(lambda: work.searched(since).total() >= 3)
        assert service.stop() == 0
        assert gone(pids)
        assert work.workers_of(id_) == []
        units = {one["state"] for one in work.units(id_)}
        assert units <= {"pending", "completed"}  # none is held by a worker that is gone
        known, middle = work.recorded(id_), work.logged()
    with work.service("--workers", 2) as service:
        ended = work.finish(service, id_)
        assert (ended["state"], ended["error"]) == ("completed", "")
        work.compare(service, id_)
        assert not known & {query for _, query in work.searched(middle)}
        assert set(work.searched(since).values()) <= {1, 2}


def test_a_service_that_is_terminated_while_nothing_runs_ends_at_once(work):
    with work.service("--workers", 2) as service:
        pids = children(service.process, 2)
        assert service.stop() == 0
        assert gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is known of Linux only")
def test_a_worker_over_its_limit_fails_its_benchmark_and_the_next_one_is_done(work):
    with work.service("--workers", 1, "--memory-limit", 600) as service:
        work.fill(service)
        hungry = work.create(service, function="hungry", searches=())
        work.start(service, hungry)
        ended = work.finish(service, hungry)
        assert ended["state"] == "failed"
        assert "exceed the limit of 600 MB per worker" in ended["error"]
        work.undisturbed(service)
        assert accepted(service.ask("GET", "/api/v1/health"))
        assert service.stop() == 0


def test_an_interrupt_ends_the_service_in_order_too(work):
    with work.service("--workers", 1) as service:
        pids = children(service.process)
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(END_S) == 130
        assert gone(pids)
