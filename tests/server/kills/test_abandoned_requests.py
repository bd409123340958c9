"""A request that computes when the service is stopped does not keep the process alive."""

import signal
import threading
import time
from contextlib import suppress

import pytest
from tests.server.kills.processes import children, gone
from tests.server.process import running_service
from tests.server.slow_service import FOREVER

pytestmark = pytest.mark.service
END_S = 30.0  # 5 s for requests and up to 10 s for workers, on a machine that is busy


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_request_that_never_ends_is_abandoned(tmp_path, number, code):
    with running_service(tmp_path, "--workers", 1, module="tests.server.slow_service") as service:
        pids = children(service.process)

        def ask():
            with suppress(OSError):
                service.ask("GET", FOREVER, timeout=END_S)

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(2)]
        for one in threads:
            one.start()
        time.sleep(1)
        assert [*tmp_path.rglob("*-wal")]
        service.process.send_signal(number)
        assert service.process.wait(END_S) == code
        assert gone(pids)
        for one in threads:
            one.join(END_S)
    assert "requests did not end in time and were abandoned" in "".join(service.log)
    assert not [*tmp_path.rglob("*-wal")]  # the database was closed
