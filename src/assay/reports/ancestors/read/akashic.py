"""Akashic's JSON: config, summary, categories and queries, of one configuration or of several."""

from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

from assay.records import Report, Run
from assay.reports.ancestors.read._assemble import assemble, ending, settle
from assay.reports.ancestors.read._fields import Fields
from assay.reports.ancestors.read._layout import AncestorLayout
from assay.reports.ancestors.read._query_times import query_times

__all__ = ["AKASHIC"]

NAME = "Akashic"
METRICS = {  # Akashic looks at the first 10 results
    "mrr": "mrr@10",
    "recall_at_5": "recall@5",
    "recall_at_10": "recall@10",
    "ndcg_at_10": "ndcg@10",
}
# Each chunk of a file earns gain there, at most 10 of them for a single expected file.
MOST = {"ndcg_at_10": sum(1 / log2(at + 2) for at in range(10))}
SETTINGS = {"chunk_size": "chunk_size", "embedding_model": "model", "reranker_model": "rerank"}


def _is_akashic(value: Mapping[str, Any]) -> bool:
    own = {"config", "summary", "category_metrics", "query_results"} & value.keys()
    return len(own) > 1


def _read(told: Sequence[Fields]) -> Report:
    runs = [_run(one, f"run {at}") for at, one in enumerate(told, 1)]
    queries = {key: fact for one in told for key, fact in _facts(one).items()}
    counts = [one.part("summary").count("total_queries") for one in told]
    known = next((count for count in counts if count is not None), len(queries))
    return assemble(NAME, told, runs, queries=queries, dataset={"queries": known})


def _run(told: Fields, unnamed: str) -> Run:
    config, summary = told.part("config"), told.part("summary")
    if not summary.value:
        hint = "expected avg_mrr, avg_recall_at_5, avg_recall_at_10 or avg_ndcg_at_10 in it"
        raise told.error("summary", "no summary", hint=hint)
    rows = _by_id(told)
    scores, per_query = settle(_scores(summary, "avg_"), _bounded(rows))
    failed = {key: row.text("error") for key, row in rows.items() if "error" in row}
    answered = {key: row.amount("latency_ms") for key, row in rows.items() if key not in failed}
    return Run(
        config.text("name") or unnamed,
        "",
        {ours: config.text(key) for key, ours in SETTINGS.items() if key in config},
        scores=scores,
        per_query=per_query,
        failed=failed,
        latency_ms=query_times(answered, summary.amount("avg_latency_ms")),
        categories={name: _category(one) for name, one in told.parts("category_metrics").items()},
        **ending(told),
    )


def _scores(told: Fields, prefix: str = "") -> dict[str, float]:
    found = {
        metric: told.score(prefix + key, most=MOST.get(key, 1.0)) for key, metric in METRICS.items()
    }
    return {metric: score for metric, score in found.items() if score is not None}


def _bounded(rows: Mapping[str, Fields]) -> dict[str, dict[str, float]]:
    """Return the scores of queries; a metric that is above 1 anywhere has none that can be tested.

    Tests against a limit need scores between 0 and 1.
    """
    found = {key: _scores(row) for key, row in rows.items()}
    above = {metric for row in found.values() for metric, score in row.items() if score > 1}
    return {key: {m: s for m, s in row.items() if m not in above} for key, row in found.items()}


def _category(told: Fields) -> dict[str, float]:
    count = told.count("count")
    return {**({} if count is None else {"queries": count}), **_scores(told, "avg_")}


def _by_id(told: Fields) -> dict[str, Fields]:
    rows: dict[str, Fields] = {}
    for row in told.rows("query_results"):
        key = row.text("id") or row.text("query")
        if not key or key in rows:
            problem = f'the query "{key}" is there twice' if key else "a query without an id"
            raise row.error("id", problem, hint="give each query an id of its own")
        rows[key] = row
    return rows


def _facts(told: Fields) -> dict[str, dict[str, Any]]:
    """Return what tells whether a query is still the same: its text and what it expects."""
    found = {}
    for key, row in _by_id(told).items():
        expected = [*row.texts("expected_files"), *row.texts("expected_symbols")]
        facts = {"text": row.text("query"), "category": row.text("category"), "expected": expected}
        found[key] = {name: fact for name, fact in facts.items() if fact}
    return found


AKASHIC = AncestorLayout(NAME, _is_akashic, _read)
