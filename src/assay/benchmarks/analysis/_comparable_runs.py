"""A report -> the scores of its runs on the queries that all have."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

import numpy as np

from assay.records import Floats, Interval, Ints, Report, Run
from assay.records.report import query_weights
from assay.records.traffic import weighted_mean
from assay.statistics.mean_interval import mean_interval

__all__ = ["ComparableRuns", "comparable_runs", "ends"]


@dataclass(frozen=True, eq=False)
class ComparableRuns:
    """The runs that were measured to their end, and the queries that each of them has a score of.

    ``strata`` numbers the collection of each query; None where there is only one. ``weights`` is
    how much each counts; None where all count the same. Means over some of the queries are of the
    ``primary`` metric, by these weights, whatever their collection.
    """

    runs: tuple[Run, ...]
    queries: tuple[str, ...]
    strata: Ints | None
    primary: str
    weights: Floats | None = None

    @property
    def counted(self) -> dict[str, Any]:
        """How queries are averaged, as every statistic takes it."""
        return {"strata": self.strata, "weights": self.weights}

    def column(self, run: Run, metric: str) -> Floats:
        """Return what a run scores on each query."""
        return np.array([run.per_query[query][metric] for query in self.queries], np.float64)

    def score(self, run: Run, query: str) -> float:
        """Return what a run scores on a query."""
        return float(run.per_query[query][self.primary])

    def by_run(self, queries: Iterable[str]) -> dict[str, float]:
        """Average over some queries, for each run."""
        some = tuple(queries)
        if self.weights is None:
            return {run.name: fmean(self.score(run, one) for one in some) for run in self.runs}
        columns = {run.name: np.array([self.score(run, one) for one in some]) for run in self.runs}
        return {name: weighted_mean(of, self._of(some)) for name, of in columns.items()}

    def _of(self, queries: Iterable[str]) -> Floats | None:
        """Return the weights of some queries."""
        if self.weights is None:
            return None
        known = dict(zip(self.queries, self.weights.tolist(), strict=True))
        return np.array([known[query] for query in queries], np.float64)

    @cached_property
    def mean(self) -> dict[str, float]:
        """The mean over the runs, of each query."""
        return {one: fmean(self.score(run, one) for run in self.runs) for one in self.queries}

    def interval(self, queries: Iterable[str], *, seed: int) -> list[float] | None:
        """Tell how sure the mean over runs is for some queries; None where one hides the spread."""
        some = tuple(queries)
        means = np.array([self.mean[one] for one in some])
        return ends(mean_interval(means, seed=seed, weights=self._of(some)))

    def grouped(self, named: Mapping[str, str]) -> dict[str, list[str]]:
        """Put the queries that have the same name together; those without one are left out."""
        found: dict[str, list[str]] = {}
        for query in self.queries:
            if name := named.get(query):
                found.setdefault(name, []).append(query)
        return found


def comparable_runs(report: Report) -> ComparableRuns:
    """Find what can be compared by the primary metric; failed or stopped runs cannot."""
    primary = str(report.benchmark.get("primary") or "")
    whole = (run for run in report.runs if run.status == "completed")
    runs = tuple(run for run in whole if any(primary in one for one in run.per_query.values()))
    first = runs[0].per_query if runs else {}
    queries = tuple(
        key for key in first if all(primary in run.per_query.get(key, {}) for run in runs)
    )
    return ComparableRuns(
        runs if queries else (),
        queries,
        _strata(report, runs, queries),
        primary,
        query_weights(report, queries),
    )


def ends(interval: Interval | None) -> list[float] | None:
    """Return both ends; None where there are none."""
    if interval is None or not np.isfinite([interval.low, interval.high]).all():
        return None
    return [interval.low, interval.high]


def _strata(report: Report, runs: Sequence[Run], queries: Sequence[str]) -> Ints | None:
    if not any(len(run.collections) > 1 for run in runs):
        return None
    named = [str(report.queries.get(key, {}).get("collection", "")) for key in queries]
    number = {name: at for at, name in enumerate(dict.fromkeys(named))}
    return np.array([number[name] for name in named], np.int64) if len(number) > 1 else None
