"""Scores that others report and a benchmark did not ask for, from the rankings that it kept.

They are only filled in where the report holds all that they need: each judged document, and the
first 10 results. The scores that the run has already must come out the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.records import Report, Run
from assay.workflows.evaluate import evaluate

__all__ = ["filled"]

KEPT = 10  # results of each query in a report
OTHERS = ("ndcg@5", "ndcg@10", "mrr@10", "recall@5", "recall@10")  # what the shapes of others have
CLOSE = 1e-9

Scores = dict[str, dict[str, float]]


def filled(report: Report) -> Report:
    """Return a report whose runs have the scores of others, too, as far as they can be known."""
    return replace(report, runs=tuple(_run(report, run) for run in report.runs))


def _run(report: Report, run: Run) -> Run:
    lacking = [name for name in OTHERS if name not in run.scores]
    if not run.scores or not lacking or not _is_whole(report, run):
        return run
    known = [name for name in OTHERS if name in run.scores]
    found = _scored(report, run, [*lacking, *known])
    if any(abs(found[q][m] - run.per_query[q][m]) > CLOSE for q in found for m in known):
        return run  # judged in a way that the report does not tell, such as by groups
    per_query = {
        q: {**row, **{m: found[q][m] for m in lacking}} for q, row in run.per_query.items()
    }
    collections = _parts(report, run.collections, "collection", per_query, lacking)
    means = _means([*per_query], per_query, lacking)
    if collections:  # each counts the same
        means = {m: sum(p[m] for p in collections.values()) / len(collections) for m in lacking}
    return replace(
        run,
        per_query=per_query,
        scores={**run.scores, **means},
        categories=_parts(report, run.categories, "category", per_query, lacking),
        collections=collections,
    )


def _is_whole(report: Report, run: Run) -> bool:
    """Tell whether each judgment of each query is one document that the report knows."""
    told = [report.queries.get(query) for query in run.per_query]
    return bool(told) and all(
        one is not None and "judged" in one and one.get("judgments") == len(one["judged"])
        for one in told
    )


def _scored(report: Report, run: Run, metrics: Sequence[str]) -> Scores:
    """Score the kept results; a query without judgments, or without an answer, scores 0."""
    judged = {query: report.queries[query]["judged"] for query in run.per_query}
    judged = {query: grades for query, grades in judged.items() if grades}
    ranked = {
        query: {document: float(KEPT - at) for at, document in enumerate(documents[:KEPT])}
        for query, documents in run.rankings.items()
        if query in judged and documents
    }
    nothing = dict.fromkeys(metrics, 0.0)
    found: Scores = {query: dict(nothing) for query in run.per_query}
    if judged and ranked:
        done = evaluate(judged, ranked, list(metrics))
        for metric in metrics:
            pairs = zip(done.queries, done.per_query[metric].tolist(), strict=True)
            for query, score in pairs:
                found[query][metric] = score
    return found


def _parts(
    report: Report,
    parts: Mapping[str, Mapping[str, Any]],
    kind: str,
    per_query: Scores,
    metrics: Sequence[str],
) -> dict[str, dict[str, Any]]:
    """Add the means of each category or collection."""
    of = {query: report.queries[query].get(kind) for query in per_query}
    return {
        name: {**one, **_means([q for q in per_query if of[q] == name], per_query, metrics)}
        for name, one in parts.items()
    }


def _means(queries: Sequence[str], per_query: Scores, metrics: Sequence[str]) -> dict[str, float]:
    if not queries:
        return {}
    return {m: sum(per_query[query][m] for query in queries) / len(queries) for m in metrics}
