"""Akashic's fields, each as its document shows it and worked by hand."""

import json

import pytest

from assay.reports.ancestors.akashic import akashic

DATE = "2026-01-30T12:00:00"
# The document's own names -> what the small report has there.
FIELDS = {
    ("config", "name"): "hybrid",  # BenchmarkConfig
    ("config", "chunk_size"): 256,  # tokens per chunk, as ours
    ("config", "embedding_model"): "minilm",
    ("config", "use_reranker"): True,
    ("config", "reranker_model"): "maxsim",
    ("timestamp",): DATE,
    ("summary", "total_queries"): 2,
    ("summary", "avg_mrr"): 0.75,  # of the first 10 results: mrr@10
    ("summary", "avg_recall_at_5"): 0.5,
    ("summary", "avg_recall_at_10"): 1.0,
    ("summary", "avg_ndcg_at_10"): 0.625,
    ("summary", "avg_latency_ms"): 6.0,  # the mean
    ("summary", "avg_mrr_ci"): None,  # no end is known
    ("summary", "avg_ndcg_ci"): [0.5, 0.75],
    ("category_metrics", "api", "count"): 1,
    ("category_metrics", "api", "avg_mrr"): 1.0,
    ("category_metrics", "api", "avg_recall_at_5"): 1.0,
    ("category_metrics", "api", "avg_recall_at_10"): 1.0,
    ("category_metrics", "api", "avg_ndcg_at_10"): 0.75,
    ("category_metrics", "api", "avg_latency_ms"): 4.0,
    ("category_metrics", "error", "avg_latency_ms"): 8.0,
    ("category_metrics", "error", "avg_recall_at_5"): None,
    ("query_results", 0, "id"): "q1",  # a query of the YAML file
    ("query_results", 0, "query"): "wie gross ist α?",
    ("query_results", 0, "category"): "api",
    ("query_results", 0, "expected_files"): ["a.py"],
    ("query_results", 0, "expected_symbols"): [],
    ("query_results", 0, "mrr"): 1.0,
    ("query_results", 0, "recall_at_5"): 1.0,
    ("query_results", 0, "recall_at_10"): 1.0,
    ("query_results", 0, "ndcg_at_10"): 0.75,
    ("query_results", 0, "latency_ms"): 4.0,
    ("query_results", 1, "results", 1, "file_path"): "ü.py",  # SearchResult
    ("query_results", 1, "results", 1, "symbol_name"): None,
    ("query_results", 1, "results", 1, "score"): None,
    ("query_results", 1, "results", 1, "rank"): 2,
}


def at(value, path):
    for step in path:
        value = value[step]
    return value


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: ".".join(map(str, path)))
def test_each_field_of_the_document(made, path):
    told = akashic(made.report(made.run()), date=DATE)
    assert at(told, path) == FIELDS[path]
    assert type(at(told, path)) is type(FIELDS[path])


def test_what_is_not_known_is_null_with_a_reason(made, snapshot):
    lexical = made.run(configuration={"search": "lexical"}, scores={"ndcg@10": 0.5}, latency_ms={})
    told = akashic(made.report(lexical), date=DATE)
    nulls = [
        "config.chunk_size", "config.embedding_model", "summary.avg_mrr",
        "summary.avg_recall_at_5", "summary.avg_recall_at_10", "summary.avg_latency_ms",
        "summary.avg_mrr_ci",
    ]  # fmt: skip
    for field in nulls:
        assert at(told, field.split(".")) is None
        assert told["notes"][field]
    snapshot(f"{field}: {reason}" for field, reason in told["notes"].items())
    assert told["config"]["use_reranker"] is False
    assert "grades" in told["notes"]["summary.avg_ndcg_at_10"]  # where the definitions differ


def test_several_runs_are_a_comparison_with_recommendations(made):
    best = {"run": "b", "by": "ndcg@10", "value": 0.7, "reason": "the highest"}
    both = made.report(made.run("a"), made.run("b"), recommendations={"best_quality": best})
    told = akashic(both, date=DATE)
    assert [one["config"]["name"] for one in told["reports"]] == ["a", "b"]
    assert told["recommendations"]["best_quality"] == {"config": "b", "by": "ndcg@10", "value": 0.7}
    assert told["recommendations"]["fastest"]["config"] is None
    assert set(told["recommendations"]) >= {"best_quality", "fastest", "best_balance"}
    assert akashic(both, date=DATE, run="b") == told["reports"][1]


def test_a_failed_query_and_a_failed_run_are_no_zeros(made, snapshot):
    hurt = made.run(failed={"q2": "timed out"})
    assert akashic(made.report(hurt), date=DATE)["query_results"][1]["error"] == "timed out"
    names = ("scores", "intervals", "latency_ms", "per_query", "rankings", "categories")
    lost = made.run(status="failed", error="no model", **{key: {} for key in names})
    told = akashic(made.report(lost), date=DATE)
    assert told["summary"]["avg_mrr"] is None
    snapshot(told["notes"]["summary.avg_mrr"])
    assert told["notes"]["summary.avg_mrr"].endswith(": no model")
    assert told["query_results"] == []


def test_a_beaten_run_says_how_much_it_was_asked(made, snapshot):
    beaten = made.run(status="beaten", per_query={"q1": {"mrr@10": 1.0}})
    told = akashic(made.report(beaten), date=DATE)
    assert told["summary"]["total_queries"] == 1
    snapshot(told["notes"]["summary"])
    assert told["notes"]["summary"].endswith(" 1 query")


def test_an_empty_report(made):
    told = akashic(made.report(), date=DATE)
    assert told["reports"] == []
    json.dumps(told, allow_nan=False)
