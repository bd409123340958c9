"""Processes as a test sees them: whether they live, and how much they have worked."""

import math
import time

import psutil

__all__ = ["SOON_S", "children", "gone", "is_there", "wait_until", "worked"]

SOON_S = 60.0  # on a machine that others use, too; what is waited for takes a second or so


def is_there(pid):
    """Tell whether a process lives."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(pids, *, seconds=SOON_S):
    """Wait until processes have ended."""
    wait_until(lambda: not any(is_there(pid) for pid in pids), seconds=seconds)
    return True


def children(process, number=1):
    """Return the worker processes of a service, or of `assay worker`, once they are there."""

    def found():
        pids = [one.pid for one in psutil.Process(process.pid).children()]
        return pids if len(pids) == number else []

    return wait_until(found)


def worked(pid):
    """Return the seconds of CPU that a process has worked: the clock tells little when busy."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return math.inf
    return times.user + times.system


def wait_until(is_so, *, seconds=SOON_S, pause=0.01):
    """Wait until something is so, and return what was found."""
    until = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < until, "it never came to that"
        time.sleep(pause)
    return found
