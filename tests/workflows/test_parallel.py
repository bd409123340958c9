"""Processes that help with a run end with the one that started them."""

import os
import signal
import time

import psutil
import pytest

PATIENCE_S = 60


def helpers(child):
    """List the processes that work for another one."""
    try:
        below = psutil.Process(child.pid).children()
        return [one for one in below if "spawn_main" in " ".join(one.cmdline())]
    except psutil.Error:
        return []


def wait_for(look):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen")


@pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="the system knows no signal that cannot be caught"
)
def test_who_helps_a_killed_process_ends_before_the_work_does(counted):
    place = counted()
    child = place.start(asks=500, parallel=2)
    helping = []
    try:
        helping = wait_for(lambda: helpers(child))
        wait_for(place.committed)
        os.kill(child.pid, signal.SIGKILL)
        child.communicate(timeout=PATIENCE_S)
        ended, left = psutil.wait_procs(helping, timeout=60)
        assert (len(ended), left) == (1, [])
        assert place.ask("SELECT count(*) FROM units WHERE state <> 'completed'") != [(0,)]
    finally:
        for one in (child, *helping):
            if one.poll() is None if one is child else one.is_running():
                one.kill()
