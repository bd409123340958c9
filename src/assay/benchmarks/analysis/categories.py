"""Categories of queries, the hardest first: what each run scores, and which is the best."""

from statistics import fmean
from typing import Any

from assay.benchmarks.analysis._scored import scored
from assay.records import Report

__all__ = ["categories"]

NO_CATEGORY = "uncategorised"


def categories(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Average within each category, if any query has one; of equals the first run is the best."""
    scores = scored(report)
    known = {key: str(one.get("category") or "") for key, one in report.queries.items()}
    if not any(known.get(query) for query in scores.queries):
        return []
    named = {query: known.get(query) or NO_CATEGORY for query in scores.queries}
    found = []
    for name, queries in scores.grouped(named).items():
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
