"""Scores by the fields that a benchmark names, of queries or of their relevant documents."""

from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.benchmarks.analysis._query_groups import by_breakdown
from assay.benchmarks.analysis._scored_groups import scored_groups
from assay.records import Report

__all__ = ["breakdowns"]


def breakdowns(report: Report, *, seed: int) -> dict[str, Any]:
    """Average over the queries with each value of each field, the lowest first.

    A query with several values counts in each of their groups.
    """
    scores = comparable_runs(report)
    return {
        field: scored_groups(scores, groups, named="value", seed=seed)
        for field, groups in by_breakdown(report, scores).items()
    }
