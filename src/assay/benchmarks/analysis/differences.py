"""How each query does against the baseline: better, the same, or worse."""

from typing import Any

from assay.benchmarks.analysis._comparable_runs import ComparableRuns, comparable_runs
from assay.records import Report, Run

__all__ = ["differences"]


def differences(report: Report, *, seed: int) -> dict[str, Any]:
    """Count the queries that each run improves and regresses, and name where it does so most.

    Those that failed are counted apart, and among the others too, since they score 0.
    """
    scores = comparable_runs(report)
    baseline = _baseline(report, scores)
    if baseline is None:
        return {}
    return {
        run.name: {"baseline": baseline.name, **_against(scores, baseline, run)}
        for run in scores.runs
        if run is not baseline
    }


def _baseline(report: Report, scores: ComparableRuns) -> Run | None:
    name = report.benchmark.get("baseline")
    return next((run for run in scores.runs if name in (run.name, *run.aliases)), None)


def _against(scores: ComparableRuns, baseline: Run, run: Run) -> dict[str, Any]:
    moved = {one: scores.score(run, one) - scores.score(baseline, one) for one in scores.queries}
    return {
        "improved": sum(value > 0 for value in moved.values()),
        "same": sum(value == 0 for value in moved.values()),
        "regressed": sum(value < 0 for value in moved.values()),
        "failed": sum(query in run.failed for query in moved),
        "largest_gain": _largest({one: by for one, by in moved.items() if by > 0}),
        "largest_loss": _largest({one: by for one, by in moved.items() if by < 0}),
    }


def _largest(moved: dict[str, float]) -> dict[str, Any] | None:
    """Name the query that moved most; the first of equals."""
    if not moved:
        return None
    query = max(moved, key=lambda one: abs(moved[one]))
    return {"query": query, "difference": moved[query]}
