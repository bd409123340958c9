"""Run worker processes until a signal comes, then let them release their work."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from assay.errors import InputError
from assay.workflows.jobs.supervisor import Supervisor
from assay.workspace.locate import locate

__all__ = ["run_workers"]

AT_ONCE = 130


def run_workers(
    *,
    workspace: str | Path | None = None,
    processes: int = 1,
    memory_limit: int | None = None,
    tell: Callable[[str], None] = print,
) -> None:
    """Work on all jobs of a workspace as they come, until SIGTERM or Ctrl-C.

    The work that was begun is then released within 10 s; a second signal ends all processes at
    once. ``tell`` is given a line for each job that has ended, and for whatever goes wrong.
    """
    place = locate(given=workspace)
    if not place.has_database:
        hint = "specify the folder with --workspace, or a database with ASSAY_DATABASE_URL"
        raise InputError("there is no database of a service", where=str(place.folder), hint=hint)
    supervisor = Supervisor(place, processes=processes, memory_limit=memory_limit, tell=tell)
    with _signals(supervisor) as stopped:
        supervisor.start()
        try:
            stopped.wait()
        finally:
            supervisor.stop()


@contextmanager
def _signals(supervisor: Supervisor) -> Iterator[threading.Event]:
    """Set an event at the first signal; the second one ends everything."""
    stopped = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if stopped.is_set():
            supervisor.kill()
            os._exit(AT_ONCE)
        stopped.set()

    before = {one: signal.signal(one, stop) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
