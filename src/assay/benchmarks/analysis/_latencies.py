"""Runs -> by how much the p50 of some is that of others, with its interval."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.records import Floats, Ints, Run
from assay.records.times import incomparable

__all__ = ["Latencies"]

RESAMPLES = 1_000
DRAWS = 2**24  # of a query's latency in one run, in all
FEWEST = 200  # resamples
Queries = tuple[str, ...]


class Latencies:
    """The p50 of each run, as measured and of resampled queries: the same ones for every run."""

    def __init__(self, runs: Sequence[Run], *, seed: int) -> None:
        """Read the latencies; a run that was not timed, or at p50 0, has none."""
        self._runs = runs
        self._known = [_p50(run) for run in runs]
        self._each = [run.latency_ms.get("queries") or {} for run in runs]
        self._seed = seed
        self._picked: Ints = np.empty((0, 0), np.int64)
        self._drawn: dict[tuple[Queries, int], Floats] = {}

    def ratio(self, pairs: Sequence[tuple[int, int]]) -> dict[str, Any] | None:
        """Give the geometric mean over pairs; the interval is over queries, by their percentiles.

        Both are of the queries that all of these runs answered: others may be slower ones. Runs
        whose times cannot be compared are no pair.
        """
        runs = self._runs
        timed = [
            (a, b)
            for a, b in pairs
            if self._known[a] and self._known[b] and not incomparable((runs[a], runs[b]))
        ]
        if not timed:
            return None
        places = sorted({at for pair in timed for at in pair})
        if not all(self._each[at] for at in places):  # each p50 is all that is known
            whole = {at: np.log([self._known[at] or np.nan]) for at in places}
            return {"ratio_p50": _mean_ratio(whole, timed)[0], "ci": None, "pairs": len(timed)}
        shared = self._shared(places)
        if not shared:
            return None
        logs = {at: self._medians(shared, at) for at in places}
        ratios = _mean_ratio(logs, timed)
        ends = np.quantile(ratios[1:], [0.025, 0.975]).tolist() if len(shared) > 1 else None
        return {"ratio_p50": ratios[0], "ci": ends, "pairs": len(timed), "queries": len(shared)}

    def _shared(self, runs: Sequence[int]) -> Queries:
        first, *others = (self._each[at] for at in runs)
        return tuple(key for key in first if all(key in one for one in others))

    def _medians(self, shared: Queries, at: int) -> Floats:
        """Return the logarithm of the p50 of some queries of a run, then of resampled ones."""
        if (shared, at) not in self._drawn:
            times = np.array([self._each[at][key] for key in shared], np.float64)
            found = np.append(np.median(times), np.median(times[self._places(len(shared))], axis=1))
            self._drawn[shared, at] = np.log(np.maximum(found, 1e-9))
        return self._drawn[shared, at]

    def _places(self, queries: int) -> Ints:
        """Draw queries, the same ones for all runs."""
        if self._picked.shape[1] != queries:
            count = max(FEWEST, min(RESAMPLES, DRAWS // (queries * len(self._each))))
            generator = np.random.Generator(np.random.PCG64(self._seed))
            self._picked = generator.integers(queries, size=(count, queries))
        return self._picked


def _mean_ratio(logs: Mapping[int, Floats], pairs: Sequence[tuple[int, int]]) -> list[float]:
    found = np.exp(np.mean([logs[b] - logs[a] for a, b in pairs], axis=0))
    return [float(one) for one in found]


def _p50(run: Run) -> float | None:
    value = run.latency_ms.get("p50")
    return float(value) if value else None
