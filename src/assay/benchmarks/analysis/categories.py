"""Categories of queries, the hardest first: what each run scores, and which is the best."""

from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.benchmarks.analysis._query_groups import by_category
from assay.benchmarks.analysis._scored_groups import scored_groups
from assay.records import Report

__all__ = ["categories"]


def categories(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Average within each category, if any query has one."""
    scores = comparable_runs(report)
    return scored_groups(scores, by_category(report, scores), named="category", seed=seed)
