"""JSON of evaluations, lossless, with the keys that other programs rely on."""

from collections.abc import Sequence
from typing import Any

from assay.records import Evaluation
from assay.records.traffic import effective_queries, weighted_mean

__all__ = ["json"]


def json(evaluations: Sequence[Evaluation], *, queries: int, per_query: bool) -> dict[str, Any]:
    """Return what ``assay eval --json`` prints."""
    return {"queries": queries, "runs": [_run(e, per_query=per_query) for e in evaluations]}


def _run(evaluation: Evaluation, *, per_query: bool) -> dict[str, Any]:
    run: dict[str, Any] = {
        "run": evaluation.run,
        "scores": evaluation.scores,
        "queries": len(evaluation.queries),
        "missing_queries": evaluation.missing_queries,
        "unknown_queries": evaluation.unknown_queries,
        "without_relevant": evaluation.without_relevant,
        "unjudged": {str(k): share for k, share in evaluation.unjudged.items()},
        "tied": evaluation.tied,
        "notes": list(evaluation.notes),
    }
    if evaluation.weights is not None:
        run["scores_unweighted"] = evaluation.scores_unweighted
        run["effective_queries"] = effective_queries(evaluation.weights.tolist())
    if evaluation.intervals is not None:
        run["intervals"] = {
            name: [interval.low, interval.high] if abs(interval.high) < float("inf") else None
            for name, interval in evaluation.intervals.items()
        }
    if evaluation.reachable:
        run["reachable"] = {
            name: weighted_mean(best, evaluation.weights)
            for name, best in evaluation.reachable.items()
        }
    if evaluation.bounds is not None:
        run["bounds"] = evaluation.bounds
    if per_query:
        columns = {name: values.tolist() for name, values in evaluation.per_query.items()}
        run["per_query"] = {
            query: {name: column[i] for name, column in columns.items()}
            for i, query in enumerate(evaluation.queries)
        }
    return run
