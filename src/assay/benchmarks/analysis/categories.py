"""Categories of queries, the hardest first: what each run scores, and which is the best."""

from statistics import fmean
from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.benchmarks.analysis._query_groups import by_category
from assay.records import Report

__all__ = ["categories"]


def categories(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Average within each category, if any query has one; of equals the first run is the best."""
    scores = comparable_runs(report)
    found = []
    for name, queries in by_category(report, scores).items():
        by_run = scores.by_run(queries)
        found.append(
            {
                "category": name,
                "queries": len(queries),
                "mean": fmean(by_run.values()),
                "ci": scores.interval(queries, seed=seed),
                "best": max(by_run, key=by_run.__getitem__),
                "scores": by_run,
            }
        )
    return sorted(found, key=lambda one: (one["mean"], one["category"]))
