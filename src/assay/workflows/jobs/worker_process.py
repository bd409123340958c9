"""A worker process: ``python -m assay.workflows.jobs.worker_process``, for a supervisor.

Its standard input is held open by whoever started it. Once that is closed, however the other
process ended, the worker releases its work and ends: no worker is ever left behind. It reports what
it works on to its standard output, a line of JSON for each `JobNews`.
"""

import _thread
import json
import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from types import FrameType
from typing import TYPE_CHECKING

from assay.workspace.hold_interrupts import is_put_off

if TYPE_CHECKING:
    from assay.workflows.jobs.serve_jobs import JobNews

__all__ = ["main"]

RELEASED = b'{"state": "released"}\n'  # the last news of a worker that was told to stop
DRAIN_S = 8.0  # after which a worker that was told to stop ends, wherever it is


def main() -> None:
    """Work on the jobs of the workspace that the environment names, until told to stop."""
    drain = _Drain()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, drain.signalled)
    given, news = _own_pipes()
    threading.Thread(target=drain.when_closed, args=(given,), daemon=True).start()
    try:
        _serve(news)
    except KeyboardInterrupt:
        if not drain.is_asked:  # a job has raised it
            _leave(1)
        with suppress(OSError):
            os.write(news, RELEASED)
    except Exception as error:  # noqa: BLE001 - the supervisor writes it to its log
        sys.stderr.write(f"{error}\n")
        _leave(1)
    _leave(0)


def _serve(news: int) -> None:
    from assay.workflows.jobs.serve_jobs import serve_jobs
    from assay.workspace.locate import locate

    def tell(one: "JobNews") -> None:
        with suppress(OSError):  # the supervisor is gone: its end of the other pipe says so, too
            os.write(news, (json.dumps(asdict(one)) + "\n").encode())

    serve_jobs(locate(), tell=tell)


def _own_pipes() -> tuple[int, int]:
    """Keep standard input and output for the supervisor: a library may read or print anything."""
    given, news = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return given, news


class _Drain:
    """The end of this process: asked for by a signal, or by a pipe that was closed."""

    def __init__(self) -> None:
        self.is_asked = False
        self._is_signalled = False
        self._is_closed = False  # and the handler was not called for that so far

    def when_closed(self, given: int) -> None:
        """Wait until the other end of a pipe is closed, and stop the main thread."""
        with suppress(OSError):
            while os.read(given, 1024):
                pass
        self._is_closed = True
        if hasattr(signal, "pthread_kill"):  # wakes the main thread also where it waits
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
        else:
            _thread.interrupt_main(signal.SIGTERM)

    def signalled(self, _number: int, _frame: FrameType | None) -> None:
        """Release the work that was begun and end; a second signal ends the process at once."""
        if self._is_closed:
            self._is_closed = False
        elif self._is_signalled:
            os._exit(1)
        else:
            self._is_signalled = True
        if self.is_asked:
            return
        self.is_asked = True
        last = threading.Timer(DRAIN_S, os._exit, [1])
        last.daemon = True
        last.start()
        if not is_put_off():
            raise KeyboardInterrupt


def _leave(code: int) -> None:
    """End without waiting for threads of libraries; the database has been closed."""
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
