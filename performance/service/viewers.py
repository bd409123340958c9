"""Viewers of a live benchmark: what they miss, how late they are, what the service uses for it."""

import json
import os
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from performance.service.figures import Figure
from performance.service.live import ASKS, QUERIES, make_benchmark
from performance.service.server import Served, serving_assay

__all__ = ["Watched", "lags", "skipped", "unlike", "unseen", "viewers", "watch_benchmark"]

VIEWERS = 200
LAG_TARGET_S, CPU_TARGET = 1.0, 0.10
IDLE_S = 3.0

Observed = tuple[float, int, str]  # before its commit, the finished queries, the state
Seen = tuple[float, int, int, str]  # when, the version, the finished queries, the state


@dataclass(frozen=True, slots=True)
class Watched:
    """What the ledger said, what each viewer received, and CPU shares of the API processes.

    ``idle`` is with all viewers connected, before the benchmark is started.
    """

    observed: Sequence[Observed]
    received: Sequence[Mapping[str, Any]]
    busy: Sequence[float]
    idle: Sequence[float]
    seconds: float


def viewers(
    folder: Path, *, number: int = VIEWERS, processes: int = 1, database: str = ""
) -> list[Figure]:
    """Let viewers watch a benchmark that a real worker runs."""
    found = watch_benchmark(folder, number=number, processes=processes, database=database)
    behind = [lags(found.observed, one["seen"]) for one in found.received]
    received = sum(len(one["seen"]) for one in found.received)
    every = [lag for one in behind for lag in one]
    figures = [
        Figure("states of the ledger that were observed", len(found.observed)),
        Figure("messages that a viewer received, mean", received / number),
        Figure("updates lost: neither they nor a later state arrived", unseen(every), "", 0),
        Figure("viewers whose final state is not the ledger's", unlike(found), "", 0),
        Figure("messages that a newer one replaced before they were sent", skipped(found.received)),
        Figure("behind the commit, median", quantiles(every, n=100)[49], "s"),
        Figure("behind the commit, p99", quantiles(every, n=100)[98], "s", LAG_TARGET_S),
        Figure("behind the commit, largest", max(every), "s", LAG_TARGET_S),
    ]
    for at, (busy, idle) in enumerate(zip(found.busy, found.idle, strict=True)):
        which = f", process {at + 1}" if processes > 1 else ""
        figures += [
            Figure(f"CPU of the API while the benchmark runs{which}", busy, "core", CPU_TARGET),
            Figure(f"CPU of the API before it is started{which}", idle, "core"),
        ]
    return [*figures, Figure("length of the benchmark", found.seconds, "s")]


def watch_benchmark(
    folder: Path,
    *,
    number: int,
    processes: int = 1,
    database: str = "",
    queries: int = QUERIES,
    asks: int = ASKS,
) -> Watched:
    """Run a benchmark while viewers watch it; the first process has an embedded worker."""
    with ExitStack() as stack:
        services = [
            stack.enter_context(serving_assay(folder, workers=int(at == 0), database=database))
            for at in range(processes)
        ]
        first = services[0]
        benchmark = make_benchmark(first, queries=queries, asks=asks)
        places = [one.place for one in services]
        watcher = stack.enter_context(_running("watch", benchmark, str(number), *places))
        _tell(watcher, first.token)
        _line(watcher)  # all have their snapshot
        idle = _shares(services, lambda: time.sleep(IDLE_S))[0]
        environment = {"ASSAY_DATABASE_URL": database} if database else {}
        observer = stack.enter_context(
            _running("observe", str(folder), benchmark, environment=environment)
        )
        observed: list[Observed] = []

        def run() -> None:
            first.ask("POST", f"/api/v1/benchmarks/{benchmark}/start")
            observed.extend((at, done, state) for at, done, state in json.loads(_line(observer)))

        busy, seconds = _shares(services, run)
        received = json.loads(_line(watcher))
    if observed[-1][2] != "completed":
        raise SystemExit(f"the benchmark is {observed[-1][2]}")
    return Watched(observed, received, busy, idle, seconds)


def lags(observed: Sequence[Observed], seen: Sequence[Seen]) -> list[float]:
    """Return how long after each commit a viewer saw it, or a later state; infinite for never.

    >>> lags([(1.0, 5, "running"), (2.0, 10, "completed")],
    ...      [(0.5, 1, 0, "running"), (1.75, 2, 10, "running"), (2.25, 3, 10, "completed")])
    [0.75, 0.25]
    """
    steps = [_step(done, state) for _, _, done, state in seen]
    found = []
    for at, done, state in observed:
        index = bisect_left(steps, _step(done, state))
        found.append(max(0.0, seen[index][0] - at) if index < len(seen) else float("inf"))
    return found


def unseen(behind: Sequence[float]) -> int:
    """Count what was never seen."""
    return sum(lag == float("inf") for lag in behind)


def unlike(found: Watched) -> int:
    """Count the viewers whose last message is not the last state of the ledger."""
    return sum(tuple(one["seen"][-1][2:]) != found.observed[-1][1:] for one in found.received)


def skipped(received: Sequence[Mapping[str, Any]]) -> int:
    """Count what viewers did not receive of what others of the same process did.

    Each message has the whole state, so a later one replaces it. A snapshot counts as all before.

    >>> skipped([{"place": "a", "seen": [(0, 1, 0, ""), (1, 2, 5, ""), (2, 3, 9, "")]},
    ...          {"place": "a", "seen": [(0, 1, 0, ""), (2, 3, 9, "")]},
    ...          {"place": "b", "seen": [(0, 7, 0, "")]}])
    1
    """
    published: dict[str, set[int]] = {}
    for one in received:
        published.setdefault(one["place"], set()).update(each[1] for each in one["seen"])
    missed = 0
    for one in received:
        versions = [each[1] for each in one["seen"]]
        if versions != sorted(set(versions)):
            raise SystemExit("a viewer received versions twice or out of order")
        later = {version for version in published[one["place"]] if version > versions[0]}
        missed += len(later - set(versions))
    return missed


def _step(done: int, state: str) -> tuple[bool, bool, int]:
    """Order the states of a benchmark: pending, running with more and more queries, ended."""
    return (state not in ("pending", "running"), state != "pending", done)


def _shares(services: Sequence[Served], work: Callable[[], object]) -> tuple[list[float], float]:
    """Return which part of a core each process used for some work, and how long that took."""
    before = [one.cpu_s() for one in services]
    began = time.monotonic()
    work()
    seconds = time.monotonic() - began
    used = [one.cpu_s() - past for one, past in zip(services, before, strict=True)]
    return [each / seconds for each in used], seconds


@contextmanager
def _running(
    module: str, *arguments: str, environment: Mapping[str, str] = {}
) -> "Iterator[subprocess.Popen[str]]":
    """Run a program of this measurement; it ends with the measurement at the latest."""
    command = [sys.executable, "-m", f"performance.service.{module}", *arguments]
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, env={**os.environ, **environment}
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def _tell(child: "subprocess.Popen[str]", line: str) -> None:
    if child.stdin:
        child.stdin.write(f"{line}\n")
        child.stdin.flush()


def _line(child: "subprocess.Popen[str]") -> str:
    line = child.stdout.readline().strip() if child.stdout else ""
    if not line:
        raise SystemExit(f"a process of the measurement ended with {child.wait()}")
    return line
