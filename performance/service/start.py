"""How soon `assay serve` answers, and the memory that it takes without anything to do."""

import time
from pathlib import Path
from statistics import median

import psutil

from performance.service.figures import Figure
from performance.service.server import Served, serving_assay

__all__ = ["start"]

STARTS = 10
START_TARGET_S, MEMORY_TARGET_MB = 2.0, 150.0
IDLE_S = 3.0
MB = 1024 * 1024


def start(folder: Path, *, starts: int = STARTS) -> list[Figure]:
    """Start processes on new workspaces and on one that is there; their files are in the cache."""
    new = [_first_answer(folder / f"start-{number}") for number in range(starts)]
    again = [_first_answer(folder / "start-0") for _ in range(starts)]
    new_s, again_s = [taken for taken, _ in new], [taken for taken, _ in again]
    with serving_assay(folder / "start-0") as served:
        rss, pss, uss = _memory(served)
        before = served.cpu_s()
        time.sleep(IDLE_S)
        idle = (served.cpu_s() - before) / IDLE_S
    with serving_assay(folder / "start-0", workers=1) as served:
        with_worker = _memory(served)[0]
        worker = _worker_memory(served)
    return [
        Figure(f"start to first answer, new workspace, median of {starts}", median(new_s), "s"),
        Figure("the same, slowest", max(new_s), "s", START_TARGET_S),
        Figure(f"start to first answer, known workspace, median of {starts}", median(again_s), "s"),
        Figure("the same, slowest", max(again_s), "s", START_TARGET_S),
        Figure("CPU time until then, median", median(used for _, used in again), "s"),
        Figure("memory of the idle API process (RSS)", rss, "MB", MEMORY_TARGET_MB),
        Figure("the same, with its share of shared pages (PSS)", pss, "MB"),
        Figure("the same, its own pages only (USS)", uss, "MB"),
        Figure("CPU of the idle API process", idle, "core"),
        Figure("memory of the API process beside an embedded worker (RSS)", with_worker, "MB"),
        Figure("memory of the embedded worker without a job (RSS)", worker, "MB"),
    ]


def _first_answer(workspace: Path) -> tuple[float, float]:
    """Return the seconds from the start of a process to its first answer, and its CPU time."""
    with serving_assay(workspace) as served:
        served.ask("GET", "/api/v1/health")
        return time.monotonic() - served.began, served.cpu_s()


def _memory(served: Served) -> tuple[float, float, float]:
    """Return the memory of a process that has answered, in MB: RSS, PSS and USS."""
    served.ask("GET", "/api/v1/health")
    served.ask("GET", "/api/v1/benchmarks")
    found = psutil.Process(served.pid).memory_full_info()
    return found.rss / MB, found.pss / MB, found.uss / MB


def _worker_memory(served: Served) -> float:
    """Return the memory of the worker once it grows no more, in MB."""
    until, seen = time.monotonic() + 30.0, -1.0
    while time.monotonic() < until:
        time.sleep(1.0)
        found = sum(one.memory_info().rss for one in psutil.Process(served.pid).children()) / MB
        if found > 0 and found == seen:
            break
        seen = found
    return seen
