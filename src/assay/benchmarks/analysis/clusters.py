"""Clusters of queries that ask about the same, the hardest first."""

from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.benchmarks.analysis._query_groups import by_cluster
from assay.benchmarks.analysis._scored_groups import scored_groups
from assay.records import Report

__all__ = ["clusters"]


def clusters(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Average within each cluster; its name lists the terms that tell it from the others."""
    scores = comparable_runs(report)
    groups = by_cluster(report, scores)
    return [
        {**one, "terms": one["cluster"].split(", "), "keys": groups[one["cluster"]]}
        for one in scored_groups(scores, groups, named="cluster", seed=seed)
    ]
