"""How long requests take when they arrive at random and wait for a free worker."""

import heapq

import numpy as np

from assay.errors import UsageError
from assay.records import Floats
from assay.statistics._sample import sample

__all__ = ["queue_times"]

WARM_UP = 0.1  # share of the requests that come while the queue still fills


def queue_times(
    services: Floats, *, rate: float, workers: int = 1, requests: int = 20_000, seed: int = 0
) -> Floats:
    """Simulate first come, first served: return waiting and service of each request together.

    Requests arrive as a Poisson process of ``rate`` per unit of time, and take one of ``services``
    each, drawn with replacement. For one worker: Lindley (1952); for several, whoever is free
    first takes the next: Kiefer and Wolfowitz (1955). The first tenth, which finds the queue
    emptier than it will be, is left out. One seed gives the same requests at every rate, only
    closer together, so no time falls when the rate rises.
    """
    if not (rate > 0 and np.isfinite(rate)) or workers < 1 or requests < 1:
        hint = "rate, workers and requests must be greater than 0"
        raise UsageError(f"invalid queue: {rate=}, {workers=}, {requests=}", hint=hint)
    known = sample(services)[:, 0]
    generator = np.random.Generator(np.random.PCG64(seed))
    arrivals = np.cumsum(generator.exponential(size=requests)) / rate
    takes = known[generator.integers(len(known), size=requests)]
    waits = _one(arrivals, takes) if workers == 1 else _several(arrivals, takes, workers)
    return np.asarray((waits + takes)[int(WARM_UP * requests) :], dtype=np.float64)


def _one(arrivals: Floats, takes: Floats) -> Floats:
    """Solve W' = max(0, W + S - T) for all at once: a sum less its least so far."""
    steps = np.concatenate(([0.0], np.cumsum(takes[:-1] - np.diff(arrivals))))
    return np.asarray(steps - np.minimum.accumulate(steps), dtype=np.float64)


def _several(arrivals: Floats, takes: Floats, workers: int) -> Floats:
    free = [0.0] * min(workers, len(arrivals))  # when each worker is free again
    waits = []
    for at, takes_it in zip(arrivals.tolist(), takes.tolist(), strict=True):
        start = max(at, free[0])
        heapq.heapreplace(free, start + takes_it)
        waits.append(start - at)
    return np.array(waits)
