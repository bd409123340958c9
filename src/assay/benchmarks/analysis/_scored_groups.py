"""Groups of queries -> what each run scores on them, the hardest first."""

from collections.abc import Collection, Mapping
from statistics import fmean
from typing import Any

from assay.benchmarks.analysis._comparable_runs import ComparableRuns

__all__ = ["scored_groups"]


def scored_groups(
    scores: ComparableRuns, groups: Mapping[str, Collection[str]], *, named: str, seed: int
) -> list[dict[str, Any]]:
    """Average within each group, whose name is under ``named``; of equals the first run is best."""
    found = []
    for name, queries in groups.items():
        by_run = scores.by_run(queries)
        found.append(
            {
                named: name,
                "queries": len(queries),
                "mean": fmean(by_run.values()),
                "ci": scores.interval(queries, seed=seed),
                "best": max(by_run, key=by_run.__getitem__),
                "scores": by_run,
            }
        )
    return sorted(found, key=lambda one: (one["mean"], one[named]))
