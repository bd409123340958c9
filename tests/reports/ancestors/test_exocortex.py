"""Exocortex's fields, each as its document shows it and worked by hand."""

import json

import pytest

from assay.reports.ancestors.exocortex import exocortex

DATE = "2026-01-04T12:00:00"
# The interfaces of the document -> what the small report has there, in their units.
FIELDS = {
    "modelId": "minilm",
    "timestamp": "2026-01-04T12:00:00Z",
    "environment.platform": "Linux-6",
    "environment.nodeVersion": None,  # there is no Node here
    "environment.memory": 16384,  # MiB
    "environment.cpuCores": 2,
    "results.retrieval.mrr10": 0.75,
    "results.retrieval.recall10": 1.0,
    "results.retrieval.ndcg10": 0.625,
    "results.performance.indexing.totalFiles": 3,
    "results.performance.indexing.totalTokens": 600,
    "results.performance.indexing.durationMs": 1500.0,
    "results.performance.indexing.filesPerSecond": 2.0,
    "results.performance.indexing.tokensPerSecond": 400.0,
    "results.performance.indexing.peakMemoryMB": 2.0,  # 2,097,152 bytes are 2 MiB
    "results.performance.search.p50Ms": 5.0,
    "results.performance.search.p95Ms": 8.0,
    "results.performance.search.p99Ms": 9.0,
    "results.performance.search.avgMs": 6.0,
    "results.storage.indexSizeBytes": 3000,
    "results.storage.bytesPerDocument": 1000.0,
    "results.storage.compressionRatio": None,  # nothing to compare with
    "datasets": [{"name": "d", "mrr10": 0.75, "recall10": 1.0}],
}


def at(value, path):
    for step in path.split("."):
        value = value[step]
    return value


@pytest.mark.parametrize("path", FIELDS)
def test_each_field_of_the_document(made, path):
    told = exocortex(made.report(made.run()), date=DATE)
    assert at(told, path) == FIELDS[path]
    assert type(at(told, path)) is type(FIELDS[path])
    if FIELDS[path] is None:
        assert told["notes"][path]


def test_where_definitions_differ_it_is_said(made, snapshot):
    notes = exocortex(made.report(made.run()), date=DATE)["notes"]
    snapshot(f"{field}: {reason}" for field, reason in notes.items())
    assert notes["results.performance.indexing.peakMemoryMB"]
    assert "--fresh" in notes["results.performance.indexing.durationMs"]  # not all was embedded


def test_each_dataset_has_its_scores(made):
    parts = {"a": {"queries": 1, "mrr@10": 0.5, "recall@10": 0.25}, "ü": {"queries": 1}}
    told = exocortex(made.report(made.run(collections=parts)), date=DATE)
    assert told["datasets"] == [
        {"name": "a", "mrr10": 0.5, "recall10": 0.25},
        {"name": "ü", "mrr10": None, "recall10": None},
    ]
    assert "mrr@10" in told["notes"]["datasets.ü.mrr10"]


def test_several_runs_one_of_them_and_none(made, snapshot):
    both = made.report(made.run("a"), made.run("b", configuration={"search": "lexical"}))
    told = exocortex(both, date=DATE)["reports"]
    assert [one["run"] for one in told] == ["a", "b"]
    assert told[1]["modelId"] is None
    snapshot(told[1]["notes"]["modelId"])
    assert exocortex(both, date=DATE, run="a") == told[0]
    assert exocortex(made.report(), date=DATE) == {"reports": []}


def test_a_beaten_run_says_how_much_it_was_asked(made, snapshot):
    notes = exocortex(made.report(made.run(status="beaten")), date=DATE)["notes"]
    snapshot(notes["results.retrieval"])
    assert notes["results.retrieval"].endswith(" 2 queries")


def test_a_failed_run_says_why_it_has_no_figures(made):
    names = ("scores", "intervals", "latency_ms", "indexing", "storage", "per_query")
    lost = made.run(status="failed", error="no model", **{key: {} for key in names})
    told = exocortex(made.report(lost, environment={}), date=DATE)
    json.dumps(told, allow_nan=False)
    assert told["results"]["retrieval"] == {"mrr10": None, "recall10": None, "ndcg10": None}
    assert told["notes"]["results.storage.indexSizeBytes"].endswith(": no model")
    assert told["environment"]["platform"] is None
