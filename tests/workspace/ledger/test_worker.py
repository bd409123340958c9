"""Names of workers: who is alive, who is dead, and of whom nothing can be said."""

import os
import subprocess
import sys

import pytest

from assay.workspace.ledger import _worker
from assay.workspace.ledger._worker import is_alive, worker_name

needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc here")  # noqa: PTH112


def test_a_process_knows_itself():
    assert worker_name() == worker_name()
    assert worker_name().split("/")[1] == str(os.getpid())
    assert is_alive(worker_name()) is True
    assert is_alive(f"{worker_name()}/thread 3/of 5") is True


@needs_proc
def test_a_later_process_with_the_same_number_is_another():
    host, pid, start = worker_name().split("/")
    assert is_alive(f"{host}/{pid}/{int(start) + 1}") is False


@needs_proc
def test_a_killed_process_is_dead_before_anybody_asked_for_it():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    host = worker_name().split("/")[0]
    name = f"{host}/{child.pid}/{_worker._start(child.pid)}"
    try:
        assert is_alive(name) is True
    finally:
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it stays as a zombie
        assert is_alive(name) is False
        child.communicate(timeout=90)
    assert is_alive(name) is False


def test_without_start_times_the_number_decides(monkeypatch):
    monkeypatch.setattr(_worker, "_start", lambda pid: None)
    assert worker_name().endswith(f"/{os.getpid()}/")
    assert is_alive(worker_name()) is True
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.communicate(timeout=90)
    assert is_alive(f"{worker_name().split('/')[0]}/{child.pid}/") is False


def test_where_a_signal_would_kill_nothing_is_known(monkeypatch):
    monkeypatch.setattr(_worker, "_start", lambda pid: None)
    monkeypatch.setattr(_worker.sys, "platform", "win32")
    assert is_alive(worker_name()) is None


@pytest.mark.parametrize("name", ["", "w", "a/b", "elsewhere/1/1", "/1/1", "ü/²/1"])
def test_of_others_nothing_is_known(name):
    assert is_alive(name) is None


@pytest.mark.parametrize("pid", ["²", "-1", "1e3", "", "9" * 30])
def test_numbers_that_are_none(pid):
    host = worker_name().split("/")[0]
    assert is_alive(f"{host}/{pid}/1") in (None, False)
    assert is_alive(f"{host}/{pid}/") in (None, False)
