"""A timed run -> what it takes to serve some queries per second: times, cores and money."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.records import Floats, Run
from assay.statistics.percentile import percentile
from assay.statistics.queue_times import queue_times

__all__ = ["Serving", "serving_of", "simulate_load"]

SLOWER = 5.0  # times the unloaded p95 that a loaded one may be
STEPS = 10  # of the bisection: the capacity to a thousandth of what the cores can do at most
MOST = 256  # cores more than are busy, when looking for how many are needed
SHARES = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
HOUR_MS = 3_600_000.0
ALONE = 1e-9  # requests per ms at which none waits


@dataclass(frozen=True, slots=True, eq=False)
class Serving:
    """What queries take alone in ms, how many cores that keeps busy, and requests to simulate."""

    services: Floats
    requests: int = 20_000
    seed: int = 0
    busy: float = 1.0

    @property
    def cpu(self) -> float:
        """Mean work of a query on all cores, in ms."""
        return float(self.services.mean()) * self.busy

    def workers(self, cores: int) -> int:
        """Return how many queries are searched at once: one that keeps two cores busy needs two."""
        return min(max(round(cores / max(self.busy, 1.0)), 1), cores)

    def stretched(self, cores: int) -> Floats:
        """Return what queries take where cores do not divide evenly: no more work than cores do."""
        return self.services * max(1.0, self.busy * self.workers(cores) / cores)

    def is_stable(self, qps: float, cores: int) -> bool:
        """Tell whether the queue does not grow for ever."""
        return qps * float(self.stretched(cores).mean()) < 1000 * self.workers(cores)

    @property
    def limit(self) -> float:
        """The p95 that is still bearable."""
        return SLOWER * percentile(self.services, 0.95)

    def responses(self, qps: float, cores: int) -> Floats:
        """Simulate: waiting and service of each request, in ms."""
        return queue_times(
            self.stretched(cores),
            rate=qps / 1000,
            workers=self.workers(cores),
            requests=self.requests,
            seed=self.seed,
        )

    def is_bearable(self, qps: float, cores: int) -> bool:
        """Tell whether the queue does not grow for ever, and p95 stays below the limit."""
        if not self.is_stable(qps, cores):
            return False
        return self.percentiles(qps, cores, (0.95,))[0] <= self.limit

    def percentiles(self, qps: float, cores: int, shares: Sequence[float]) -> list[float]:
        """Add to what queries take alone what waiting adds to the same requests.

        A percentile of few times lies between two of them, one of a sample of these equals one of
        them: only the increase of the latter comes from the queue.
        """
        loaded, known = self.responses(qps, cores), self.stretched(cores)
        alone = queue_times(known, rate=ALONE, requests=self.requests, seed=self.seed)
        return [
            percentile(known, share) + percentile(loaded, share) - percentile(alone, share)
            for share in shares
        ]

    def capacity(self, cores: int) -> float:
        """Find the most queries per second that are bearable; times only rise with the load."""
        low, high = 0.0, 1000 * self.workers(cores) / float(self.stretched(cores).mean())
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.is_bearable(middle, cores) else (low, middle)
        return low

    def cores_for(self, qps: float) -> int | None:
        """Find the fewest cores with which a load is bearable."""
        least = max(1, math.ceil(qps * self.cpu / 1000))
        return next((n for n in range(least, least + MOST) if self.is_bearable(qps, n)), None)


def serving_of(run: Run, *, requests: int = 20_000, seed: int = 0) -> Serving:
    """Take what was measured of a run."""
    times = np.array([*run.latency_ms["queries"].values()], np.float64)
    busy = (run.latency_ms.get("cpu") or {}).get("cores")
    return Serving(times, requests, seed, 1.0 if not busy else float(busy))


def simulate_load(
    run: Run,
    *,
    qps: float,
    cores: int,
    requests: int = 20_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Tell how long queries take when so many arrive per second, at random, at so many cores.

    A search keeps as many cores busy as was measured, or one where it was not. A load under which
    the queue grows for ever has no times.
    """
    serving = serving_of(run, requests=requests, seed=seed)
    stable = serving.is_stable(qps, cores)
    found = serving.percentiles(qps, cores, [*SHARES.values()]) if stable else [None] * len(SHARES)
    return {
        "qps": qps,
        "cores": cores,
        "utilisation": qps * serving.cpu / 1000 / cores,
        **dict(zip(SHARES, found, strict=True)),
        "cpu_cores": qps * serving.cpu / 1000,
        "cores_needed": serving.cores_for(qps),
        "stable": stable,
    }
