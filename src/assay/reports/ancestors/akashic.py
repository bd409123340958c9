"""Akashic's JSON: config, timestamp, summary, categories and queries of each configuration.

One run is one object, as Akashic writes it; several are its comparison: ``reports``, and the
``recommendations`` that it prints below. Where Akashic and Assay define a field differently, the
field has Assay's number, and ``notes`` says so.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from assay.records import Report, Run
from assay.reports.ancestors._run_fields import UNREPORTED, RunFields, queries_of

__all__ = ["akashic"]

# Akashic looks at the first 10 results, so that its MRR is ours at 10.
METRICS = {
    "mrr": "mrr@10",
    "recall_at_5": "recall@5",
    "recall_at_10": "recall@10",
    "ndcg_at_10": "ndcg@10",
}
RECOMMENDED = ("best_quality", "fastest", "best_recall", "best_balance")
UNTIMED = "per-query latencies are not in the report"
OLDER = "this report is from a version that did not store {}"
NO_SYMBOLS = "no retrieved chunk defines a symbol (prose, or an external system), or "
NO_SYMBOLS += OLDER.format("symbols")
DIFFERENT = {
    "timestamp": "when this file was written, in UTC",
    "summary.avg_ndcg_at_10": "gains are grades, and each document counts once; in Akashic gains "
    "are 0 or 1, and each chunk of a file counts",
    "summary.avg_latency_ms": "mean over completed queries; Akashic includes failed queries",
}


def akashic(report: Report, *, date: str, run: str | None = None) -> dict[str, Any]:
    """Fill Akashic's shape; ``date`` is ISO 8601 in UTC, ``run`` chooses one of several."""
    told = [_one(report, one, date) for one in report.runs if run in (None, one.name)]
    if len(told) == 1 and (run is not None or len(report.runs) == 1):
        return told[0]
    return {"reports": told, "recommendations": _recommendations(report)}


def _one(report: Report, run: Run, date: str) -> dict[str, Any]:
    fill = RunFields(run)
    told = {
        "config": _config(run, fill),
        "timestamp": date,
        "summary": _summary(report, run, fill),
        "category_metrics": {
            name: _category(report, name, part, fill) for name, part in run.categories.items()
        },
        "query_results": _queries(report, run, fill),
    }
    fill.say_partial("summary")
    for field, remark in DIFFERENT.items():
        fill.say(field, remark)
    return {**told, "notes": fill.notes}


def _config(run: Run, fill: RunFields) -> dict[str, Any]:
    """Give the five fields of ``BenchmarkConfig``; a model that is not used is None."""
    chosen = run.configuration
    reranker = chosen.get("rerank")
    no_chunks, no_model = "this search has no chunks", "this search has no embedding model"
    return {
        "name": run.name,
        "chunk_size": fill.known("config.chunk_size", chosen.get("chunk_size"), no_chunks),
        "embedding_model": fill.known("config.embedding_model", chosen.get("model"), no_model),
        "use_reranker": bool(reranker),
        "reranker_model": reranker or None,
    }


def _summary(report: Report, run: Run, fill: RunFields) -> dict[str, Any]:
    means = {
        f"avg_{name}": fill.score(f"summary.avg_{name}", metric) for name, metric in METRICS.items()
    }
    return {
        "total_queries": queries_of(report, run),
        **means,
        "avg_latency_ms": fill.measured("summary.avg_latency_ms", "latency_ms", "mean"),
        "avg_mrr_ci": _ends(run, "mrr@10", "summary.avg_mrr_ci", fill),
        "avg_ndcg_ci": _ends(run, "ndcg@10", "summary.avg_ndcg_ci", fill),
    }


def _ends(run: Run, metric: str, field: str, fill: RunFields) -> list[float] | None:
    interval = run.intervals.get(metric)
    known = interval is not None and abs(interval.high) < float("inf")
    ends = [interval.low, interval.high] if interval is not None and known else None
    found: list[float] | None = fill.known(field, ends, f"the report has no interval for {metric}")
    return found


def _category(
    report: Report, name: str, part: Mapping[str, Any], fill: RunFields
) -> dict[str, Any]:
    where = f"category_metrics.{name}"
    times = [
        took
        for query, took in _times(fill.run).items()
        if report.queries.get(query, {}).get("category") == name
    ]
    mean = sum(times) / len(times) if times else None
    return {
        "count": fill.known(f"{where}.count", part.get("queries"), UNREPORTED),
        **{
            f"avg_{field}": fill.score(f"{where}.avg_{field}", metric, part)
            for field, metric in METRICS.items()
        },
        "avg_latency_ms": fill.known(f"{where}.avg_latency_ms", mean, UNTIMED),
    }


def _times(run: Run) -> Mapping[str, float]:
    times = run.latency_ms.get("queries")
    return times if isinstance(times, Mapping) else {}


def _queries(report: Report, run: Run, fill: RunFields) -> list[dict[str, Any]]:
    keys = list(dict.fromkeys((*run.per_query, *run.failed)))
    if keys:
        _say_of_queries(report, run, fill)
    return [_query(report, run, key) for key in keys]


def _say_of_queries(report: Report, run: Run, fill: RunFields) -> None:
    """Note once what is null in every query."""
    if run.rankings and not any(any(each) for each in run.ranking_symbols.values()):
        fill.say("query_results.results.symbol_name", NO_SYMBOLS)
    if run.rankings and not run.ranking_scores:
        fill.say("query_results.results.score", OLDER.format("result scores"))
    if not any("symbols" in one for one in report.queries.values()):
        told = f"no query has expected symbols, or {OLDER.format('them')}"
        fill.say("query_results.expected_symbols", told)
    for field, metric in METRICS.items():
        if metric not in run.scores:
            fill.score(f"query_results.{field}", metric)
    if not _times(run):
        fill.say("query_results.latency_ms", UNTIMED)


def _query(report: Report, run: Run, key: str) -> dict[str, Any]:
    """Give a query as its file has it, what it scores, and what was found."""
    told, scores = report.queries.get(key, {}), run.per_query.get(key, {})
    judged = told.get("judged", {})
    return {
        "id": key,
        "query": told.get("text"),
        "category": told.get("category"),
        "expected_files": [document for document, grade in judged.items() if grade > 0],
        "expected_symbols": told.get("symbols", []),
        **{field: scores.get(metric) for field, metric in METRICS.items()},
        "latency_ms": _times(run).get(key),
        "error": run.failed.get(key),
        "results": [
            {
                "file_path": document,
                "symbol_name": next(iter(symbols or ()), None),
                "symbols": [*(symbols or ())],
                "score": score,
                "rank": rank,
            }
            for rank, (document, score, symbols) in enumerate(_ranked(run, key), 1)
        ],
    }


def _ranked(run: Run, key: str) -> list[tuple[str, float | None, Sequence[str] | None]]:
    documents = run.rankings.get(key, ())
    scores, symbols = run.ranking_scores.get(key, ()), run.ranking_symbols.get(key, ())
    return [*zip_longest(documents, scores[: len(documents)], symbols[: len(documents)])]


def _recommendations(report: Report) -> dict[str, Any]:
    """Name the configuration that is best by each, with the figure that it was chosen by."""
    found = {name: report.recommendations.get(name) or {} for name in RECOMMENDED}
    return {
        name: {"config": one.get("run"), "by": one.get("by"), "value": one.get("value")}
        for name, one in found.items()
    }
