"""Clusters of queries that ask about the same, the hardest first."""

from statistics import fmean
from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.benchmarks.analysis._query_groups import by_cluster
from assay.records import Report

__all__ = ["clusters"]


def clusters(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Average within each cluster; its name lists the terms that tell it from the others."""
    scores = comparable_runs(report)
    found = []
    for name, queries in by_cluster(report, scores).items():
        by_run = scores.by_run(queries)
        found.append(
            {
                "cluster": name,
                "terms": name.split(", "),
                "queries": len(queries),
                "keys": queries,
                "mean": fmean(by_run.values()),
                "ci": scores.interval(queries, seed=seed),
                "scores": by_run,
            }
        )
    return sorted(found, key=lambda one: (one["mean"], one["cluster"]))
