"""The primary score of each judged query in each run that was measured to its end."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import numpy as np

from assay.records import Report, Run
from assay.statistics.bootstrap import bootstrap

__all__ = ["QueryScores"]


@dataclass(frozen=True)
class QueryScores:
    """What can be averaged over some queries; runs that failed or were beaten are left out."""

    runs: tuple[Run, ...]
    primary: str

    @classmethod
    def of(cls, report: Report) -> "QueryScores":
        """Take what a report has; a query that failed has the score 0 in it."""
        primary = str(report.benchmark.get("primary") or "")
        whole = (run for run in report.runs if run.status == "completed")
        kept = tuple(run for run in whole if any(primary in one for one in run.per_query.values()))
        return cls(kept, primary)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The queries that every run has a score of, in their order: the judged ones."""
        if not self.runs:
            return ()
        first, *others = self.runs
        return tuple(
            query
            for query in first.per_query
            if all(self.primary in run.per_query.get(query, {}) for run in (first, *others))
        )

    def score(self, run: Run, query: str) -> float:
        """Return what a run scores on a query."""
        return float(run.per_query[query][self.primary])

    def by_run(self, queries: Iterable[str]) -> dict[str, float]:
        """Average over some queries, for each run."""
        some = tuple(queries)
        return {run.name: fmean(self.score(run, one) for one in some) for run in self.runs}

    @cached_property
    def mean(self) -> dict[str, float]:
        """The mean over the runs, of each query."""
        return {one: fmean(self.score(run, one) for run in self.runs) for one in self.queries}

    def interval(self, queries: Iterable[str], *, seed: int) -> list[float] | None:
        """Tell how sure the mean over runs is for some queries; None where one hides the spread."""
        means = np.array([self.mean[one] for one in queries])
        found = bootstrap(means, seed=seed)
        return [found.low, found.high] if np.isfinite(found.high) else None

    def grouped(self, named: Mapping[str, str]) -> dict[str, list[str]]:
        """Put the queries that have the same name together; those without one are left out."""
        found: dict[str, list[str]] = {}
        for query in self.queries:
            if name := named.get(query):
                found.setdefault(name, []).append(query)
        return found
