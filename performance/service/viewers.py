"""200 viewers of a live benchmark: how far behind they are, and what the service uses for them."""

import json
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from performance.service.server import Served, serving

__all__ = ["lags", "viewers"]

VIEWERS, SECONDS = 200, 30.0
EACH, PAUSE_S = 5, 0.05  # 100 queries a second


def viewers(folder: Path, *, number: int = VIEWERS, seconds: float = SECONDS) -> dict[str, float]:
    """Measure with a process that records rows as a worker does."""
    command = ["-m", "assay", "serve", "--port", "0", "--workers", "0", "--rate", "100000"]
    place = folder / "viewers"
    with serving([*command, "--workspace", str(place)]) as served:
        idle = _cpu_share(served, 3.0)
        sizes = (str(seconds), str(EACH), str(PAUSE_S))
        feeder = _started("feed", str(place / "ledger.sqlite"), *sizes)
        benchmark = _line(feeder)
        watcher = _started("watch", served.place, benchmark, str(number))
        _tell(watcher, served.token)
        _line(watcher)  # all have their snapshot
        began, before = time.monotonic(), served.cpu_s()
        _tell(feeder, "go")
        fed = json.loads(_line(feeder))
        seen = json.loads(_line(watcher))
        used = (served.cpu_s() - before) / (time.monotonic() - began)
    for child in (feeder, watcher):
        child.communicate()
    return _figures(fed, seen) | {"cpu_share": used, "cpu_share_idle": idle}


def lags(committed: Sequence[tuple[float, int]], seen: Sequence[tuple[float, int]]) -> list[float]:
    """Return how long after each commit a viewer saw it, or a later state; infinite for never.

    >>> lags([(1.0, 5), (2.0, 10)], [(0.5, 0), (2.25, 10)])
    [1.25, 0.25]
    """
    counts = [done for _, done in seen]
    found = []
    for at, done in committed:
        index = bisect_left(counts, done)
        found.append(seen[index][0] - at if index < len(seen) else float("inf"))
    return found


def _figures(fed: dict[str, Any], seen: Sequence[dict[str, Any]]) -> dict[str, float]:
    behind = sorted(lag for one in seen for lag in lags(fed["committed"], one["seen"]))
    last = [one["seen"][-1] for one in seen]
    complete = [one["state"] == "completed" and one["seen"][-1][1] == fed["total"] for one in seen]
    return {
        "viewers": len(seen),
        "with_final_state": sum(complete),
        "lag_p50_s": behind[len(behind) // 2],
        "lag_p95_s": behind[int(len(behind) * 0.95)],
        "lag_max_s": behind[-1],
        "final_lag_max_s": max(at for at, _ in last) - fed["ended"],
        "messages_each": sum(len(one["seen"]) for one in seen) / len(seen),
        "queries": fed["total"],
        "seconds": fed["ended"] - fed["committed"][0][0],
    }


def _cpu_share(served: Served, seconds: float) -> float:
    before = served.cpu_s()
    time.sleep(seconds)
    return (served.cpu_s() - before) / seconds


def _started(module: str, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", f"performance.service.{module}", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)


def _tell(child: "subprocess.Popen[str]", line: str) -> None:
    if child.stdin:
        child.stdin.write(f"{line}\n")
        child.stdin.flush()


def _line(child: "subprocess.Popen[str]") -> str:
    line = child.stdout.readline().strip() if child.stdout else ""
    if not line:
        raise SystemExit(f"a process of the measurement ended with {child.wait()}")
    return line
