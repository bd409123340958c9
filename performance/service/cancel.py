"""How soon a running benchmark is cancelled: from the request to the end of its work."""

import random
import time
from pathlib import Path
from statistics import median

from performance.service.figures import Figure
from performance.service.live import make_benchmark
from performance.service.server import Served, serving_assay

__all__ = ["cancel", "time_cancellations"]

TIMES = 20
TARGET_S = 1.0
LONGEST_S = 2.0  # after a start
ASKS = 45  # for a benchmark that takes longer than all of these together
LOOK_S = 0.02


def cancel(folder: Path, *, times: int = TIMES) -> list[Figure]:
    """Cancel one benchmark again and again, at random times after it was started or resumed."""
    taken = time_cancellations(folder, times=times)
    return [
        Figure(f"request to the state `cancelled`, median of {times}", median(taken), "s"),
        Figure("the same, slowest", max(taken), "s", TARGET_S),
    ]


def time_cancellations(folder: Path, *, times: int) -> list[float]:
    """Return the seconds of each cancellation, its request included."""
    chance, taken = random.Random(22), []
    with serving_assay(folder, workers=1) as served:
        place = f"/api/v1/benchmarks/{make_benchmark(served, asks=ASKS)}"
        for number in range(times):
            served.ask("POST", f"{place}/{'resume' if number else 'start'}")
            _wait_for_work(served, place)
            time.sleep(chance.random() * LONGEST_S)
            began = time.monotonic()
            served.ask("POST", f"{place}/cancel")
            while (found := served.ask("GET", place))["state"] == "running":
                time.sleep(LOOK_S)
            taken.append(time.monotonic() - began)
            if found["state"] != "cancelled":
                raise SystemExit(f"the benchmark is {found['state']}")
    return taken


def _wait_for_work(served: Served, place: str) -> None:
    """Wait until a worker has begun: before that, nothing has to be stopped."""
    until = time.monotonic() + 60.0
    while not served.ask("GET", "/api/v1/health")["workers"]:
        if time.monotonic() > until:
            raise SystemExit(f"no worker has begun with {place}")
        time.sleep(LOOK_S)
