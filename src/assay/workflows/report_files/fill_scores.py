"""Scores that other tools report and that are not among the metrics of a benchmark.

A run stores them for each query. Those of an older report come from its rankings, where it has all
that they need: each judged document, and the top 10. The scores that the run has already must come
out the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.records import Floats, Interval, Report, Run
from assay.records.report import query_weights
from assay.records.traffic import weighted_mean
from assay.statistics.mean_interval import mean_interval
from assay.workflows.evaluate import evaluate

__all__ = ["fill_scores"]

KEPT = 10  # results of each query in a report
OTHERS = ("ndcg@5", "ndcg@10", "mrr@10", "recall@5", "recall@10")  # what the shapes of others have
CLOSE = 1e-9

Scores = Mapping[str, Mapping[str, float]]


def fill_scores(report: Report) -> Report:
    """Return a report whose runs have the scores of others, too, as far as they can be known."""
    return replace(report, runs=tuple(_run(report, run) for run in report.runs))


def _run(report: Report, run: Run) -> Run:
    lacking = [name for name in OTHERS if name not in run.scores]
    if not run.scores or not lacking:
        return run
    found = run.others or _from_rankings(report, run, lacking)
    lacking = [m for m in lacking if found and all(m in found.get(q, {}) for q in run.per_query)]
    if not lacking:
        return run
    per_query = {
        q: {**row, **{m: found[q][m] for m in lacking}} for q, row in run.per_query.items()
    }
    collections = _parts(report, run.collections, "collection", per_query, lacking)
    weights = query_weights(report, [*per_query])
    means = _means([*per_query], per_query, lacking, report)
    if collections:  # each counts the same
        means = {m: sum(p[m] for p in collections.values()) / len(collections) for m in lacking}
    return replace(
        run,
        per_query=per_query,
        scores={**run.scores, **means},
        intervals={**run.intervals, **_intervals(report, run, per_query, lacking, weights)},
        categories=_parts(report, run.categories, "category", per_query, lacking),
        collections=collections,
    )


def _from_rankings(report: Report, run: Run, lacking: Sequence[str]) -> Scores:
    """Score the kept rankings of an older report; nothing where it does not hold all of it."""
    if not _is_whole(report, run):
        return {}
    known = [name for name in OTHERS if name in run.scores]
    found = _scored(report, run, [*lacking, *known])
    if any(abs(found[q][m] - run.per_query[q][m]) > CLOSE for q in found for m in known):
        return {}  # judged in a way that the report does not tell, such as by groups
    return found


def _intervals(
    report: Report,
    run: Run,
    per_query: Scores,
    metrics: Sequence[str],
    weights: Floats | None,
) -> dict[str, Interval]:
    """Give the interval of each mean, stratified by collection as all others are."""
    named = [report.queries.get(query, {}).get("collection", "") for query in per_query]
    places = {name: at for at, name in enumerate(dict.fromkeys(named))}
    strata = np.array([places[name] for name in named]) if run.collections else None
    columns = {m: np.array([row[m] for row in per_query.values()]) for m in metrics}
    return {
        m: mean_interval(column, strata=strata, weights=weights) for m, column in columns.items()
    }


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
    found = {query: dict(nothing) for query in run.per_query}
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
    of = {query: report.queries.get(query, {}).get(kind) for query in per_query}
    return {
        name: {**one, **_means([q for q in per_query if of[q] == name], per_query, metrics, report)}
        for name, one in parts.items()
    }


def _means(
    queries: Sequence[str], per_query: Scores, metrics: Sequence[str], report: Report
) -> dict[str, float]:
    if not queries:
        return {}
    weights = query_weights(report, queries)
    if weights is None:
        return {m: sum(per_query[query][m] for query in queries) / len(queries) for m in metrics}
    columns = {m: np.array([per_query[query][m] for query in queries]) for m in metrics}
    return {m: weighted_mean(column, weights) for m, column in columns.items()}
