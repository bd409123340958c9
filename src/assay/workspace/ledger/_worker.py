"""Who works: a name for this process, and whether the process of such a name is gone."""

import hashlib
import os
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["count_beside", "is_alive", "worker_name"]

PARTS = 3  # host, process, start; whatever follows tells workers of one process apart
_DEAD = {"Z", "X", "x"}  # a killed process that nobody has asked for is still listed


def worker_name() -> str:
    """Name this process: host, number and start, so that no later process is taken for it.

    A process with several workers puts what it likes behind a further slash.
    """
    pid = os.getpid()
    return f"{_host()}/{pid}/{_start(pid) or ''}"


def is_alive(worker: str) -> bool | None:
    """Tell whether the process of a worker lives; None if that cannot be known from here."""
    parts = worker.split("/")
    if len(parts) < PARTS or parts[0] != _host() or not parts[1].isdecimal():
        return None
    pid, start = int(parts[1]), parts[2]
    if start:
        return _start(pid) == start
    return _answers(pid)


def count_beside(worker: str, others: Iterable[str]) -> int:
    """Count the processes of some workers that are on the same machine, but for its own."""
    mine = worker.split("/")[:PARTS]
    processes = {tuple(one.split("/")[:PARTS]) for one in others}
    return sum(one[0] == mine[0] and one != tuple(mine) for one in processes)


@cache
def _host() -> str:
    """Name this machine since it was started, and this container: numbers mean nothing beyond."""
    parts = [socket.gethostname().replace("/", "-")]
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
        within = Path("/proc/self/ns/pid").readlink()
        parts.append(hashlib.sha256(f"{boot} {within}".encode()).hexdigest()[:12])
    return "-".join(parts)


def _start(pid: int) -> str | None:
    """Return when a living process started, in ticks since the machine did; None if it is gone."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    fields = told.rpartition(")")[2].split()  # the name before may hold anything, proc(5)
    return None if fields[0] in _DEAD else fields[19]


def _answers(pid: int) -> bool | None:
    if sys.platform == "win32":
        return None  # there, signal 0 is a Ctrl-C
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
