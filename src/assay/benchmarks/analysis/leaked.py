"""Every score with and without the queries that occur verbatim in a relevant document."""

from collections.abc import Collection, Mapping
from statistics import fmean
from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.records import Report, Run

__all__ = ["leaked"]

Scores = dict[str, dict[str, float | None]]


def leaked(report: Report, *, seed: int) -> dict[str, Any]:
    """Put both means of every metric side by side, and tell whether another run is then the best.

    Of several collections each counts the same. Where all queries leak, none is left to average.
    """
    scores = comparable_runs(report)
    found = _known(report) & set(scores.queries)
    if not found:
        return {}
    of_query = {key: str(one.get("collection") or "") for key, one in report.queries.items()}
    runs = {run.name: _both(run, found, of_query) for run in scores.runs}
    return {
        "queries": len(found),
        "share": len(found) / len(scores.queries),
        "runs": runs,
        "changes_winner": _changes(runs, scores.primary),
    }


def _known(report: Report) -> set[str]:
    """Name the leaked queries; a report from before each query said so has them in its truth."""
    told = {key for key, one in report.queries.items() if one.get("leaked")}
    return told or set(map(str, report.truth.get("leaked_queries") or ()))


def _both(run: Run, found: Collection[str], of_query: Mapping[str, str]) -> Scores:
    metrics = dict.fromkeys(name for one in run.per_query.values() for name in one)
    kept = [query for query in run.per_query if query not in found]
    several = of_query if run.collections else {}
    return {
        name: {
            "with": run.scores.get(name),
            "without": run.scores_unleaked.get(name, _mean(run, name, kept, several)),
        }
        for name in metrics
    }


def _mean(run: Run, name: str, kept: list[str], of_query: Mapping[str, str]) -> float | None:
    """Average within each collection, then over them."""
    groups: dict[str, list[float]] = {}
    for query in kept:
        if (score := run.per_query[query].get(name)) is not None:
            groups.setdefault(of_query.get(query, ""), []).append(score)
    return fmean(map(fmean, groups.values())) if groups else None


def _changes(runs: Mapping[str, Scores], primary: str) -> bool:
    """Tell whether another run is the best without leaked queries."""
    both = [one[primary] for one in runs.values()]
    pairs = [(one["with"], one["without"]) for one in both]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    best = max((a for a, _ in known), default=0.0)
    most = max((b for _, b in known), default=0.0)
    return all(b < most for a, b in known if a == best) if known else False
