"""A report -> the scores of its runs as columns, in the order of the queries all have."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.metrics import parse_all
from assay.records import Floats, Interval, Ints, Report, Run

__all__ = ["Scored", "ends", "is_lower_better", "scored"]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The runs that were measured to their end, and the queries that each of them has a score of.

    ``strata`` numbers the collection of each query; None where there is only one.
    """

    runs: tuple[Run, ...]
    queries: tuple[str, ...]
    strata: Ints | None

    def column(self, run: Run, metric: str) -> Floats:
        """Return what a run scores on each query."""
        return np.array([run.per_query[query][metric] for query in self.queries], np.float64)


def scored(report: Report) -> Scored:
    """Find what can be compared by the primary metric; what failed or was beaten cannot."""
    primary = str(report.benchmark.get("primary") or "")
    runs = tuple(run for run in report.runs if run.status == "completed" and run.per_query)
    first = runs[0].per_query if runs else {}
    queries = tuple(
        key for key in first if all(primary in run.per_query.get(key, {}) for run in runs)
    )
    return Scored(runs if queries else (), queries, _strata(report, runs, queries))


def ends(interval: Interval | None) -> list[float] | None:
    """Return both ends; None where there are none."""
    if interval is None or not np.isfinite([interval.low, interval.high]).all():
        return None
    return [interval.low, interval.high]


def is_lower_better(metric: str) -> bool:
    """Tell whether less of a metric is better."""
    return not parse_all([metric])[0].kind.higher_is_better


def _strata(report: Report, runs: Sequence[Run], queries: Sequence[str]) -> Ints | None:
    if not any(len(run.collections) > 1 for run in runs):
        return None
    named = [str(report.queries.get(key, {}).get("collection", "")) for key in queries]
    number = {name: at for at, name in enumerate(dict.fromkeys(named))}
    return np.array([number[name] for name in named], np.int64) if len(number) > 1 else None
