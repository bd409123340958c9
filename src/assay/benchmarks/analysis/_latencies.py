"""Runs -> by how much the p50 of some is that of others, with its interval."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.records import Floats, Run

__all__ = ["Latencies"]

RESAMPLES = 1_000
DRAWS = 2**24  # of a query's latency in one run, in all
FEWEST = 200  # resamples


class Latencies:
    """The p50 of each run, as measured and of resampled queries: the same ones for every run."""

    def __init__(self, runs: Sequence[Run], *, seed: int) -> None:
        """Read the latencies; a run that was not timed, or at p50 0, has none."""
        self._loads = [run.latency_ms.get("concurrency", 1) for run in runs]
        self._known = [_p50(run) for run in runs]
        self._drawn = _drawn(runs, seed)

    def ratio(self, pairs: Sequence[tuple[int, int]]) -> dict[str, Any] | None:
        """Give the geometric mean over pairs; the interval is over queries, by their percentiles.

        Runs that were asked with different numbers of queries at once are no pair.
        """
        timed = [
            (a, b)
            for a, b in pairs
            if self._known[a] and self._known[b] and self._loads[a] == self._loads[b]
        ]
        if not timed:
            return None
        logs = np.log([one or np.nan for one in self._known])
        ratio = float(np.exp(np.mean([logs[b] - logs[a] for a, b in timed])))
        ends = None
        if self._drawn is not None:
            drawn = np.mean([self._drawn[b] - self._drawn[a] for a, b in timed], axis=0)
            ends = np.exp(np.quantile(drawn, [0.025, 0.975])).tolist()
        return {"ratio_p50": ratio, "ci": ends, "pairs": len(timed)}


def _p50(run: Run) -> float | None:
    value = run.latency_ms.get("p50")
    return float(value) if value else None


def _drawn(runs: Sequence[Run], seed: int) -> Floats | None:
    """Return the logarithm of the p50 of each run, of resampled queries that all timed runs have.

    None where these are too few to resample.
    """
    each = [run.latency_ms.get("queries") or {} for run in runs]
    timed = [one for one in each if one]
    shared = [key for key in timed[0] if all(key in one for one in timed)] if timed else []
    if len(shared) < 2:
        return None
    count = max(FEWEST, min(RESAMPLES, DRAWS // (len(shared) * len(timed))))
    generator = np.random.Generator(np.random.PCG64(seed))
    picked = generator.integers(len(shared), size=(count, len(shared)))
    found = np.full((len(runs), count), np.nan)
    for at, one in enumerate(each):
        if one:
            times = np.array([one[key] for key in shared], np.float64)
            found[at] = np.log(np.maximum(np.median(times[picked], axis=1), 1e-9))
    return found
