"""What is read from each layout, as its document shows it; figures are worked by hand."""

import copy

import pytest
from tests.reports.ancestors.read.files import FILES

from assay.reports.ancestors.read.read_ancestor import read_ancestor

NAMES = {
    "akashic": "Akashic",
    "exocortex": "Exocortex",
    "sia_code": "sia-code",
    "sia_code_results": "sia-code",
    "semantik": "Semantik",
    "semantik_queries": "Semantik",
    "consciousdb": "ConsciousDB",
}


@pytest.mark.parametrize("name", FILES)
def test_each_layout_is_recognised_by_its_content(read, name):
    report = read(FILES[name]())
    assert report.benchmark["layout"] == NAMES[name]
    assert report.benchmark["primary"] in report.benchmark["metrics"]
    assert set(report.benchmark["metrics"]) == {m for run in report.runs for m in run.scores}


@pytest.mark.parametrize("name", FILES)
def test_other_keys_beside_known_ones_are_let_through(read, name):
    whole = read(FILES[name](**{"later": [1, {"x": None}]}))
    assert [run.scores for run in whole.runs] == [run.scores for run in read(FILES[name]()).runs]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        [{"methods": []}],
        {},
        {"results": [1]},
        {"results": {}},
        {"reports": []},
        {"reports": [1, None]},
        {"runs": [{"name": "a"}]},
        {"schema_version": 1, "benchmark": {}, "runs": [], "primary_k": 3},
        {"methods": [1, "a"]},
        {"methods": {"method": "a"}},
        {"configurations": []},
        {"summary": {"avg_mrr": 1.0}},
        {"mrr": 0.5},
    ],
)
def test_what_has_no_known_layout_is_none(value):
    assert read_ancestor(value, where="x.json") is None


def test_akashic(read):
    report = read(FILES["akashic"]())
    (run,) = report.runs
    assert run.name == "small chunks"
    assert run.scores == {"mrr@10": 0.75, "recall@5": 0.5, "recall@10": 0.75, "ndcg@10": 0.75}
    assert run.per_query["q2"] == {
        "mrr@10": 0.5,
        "recall@5": 0.0,
        "recall@10": 0.5,
        "ndcg@10": 0.5,
    }
    assert run.categories == {"api_search": {"queries": 1, "mrr@10": 1.0}}
    # Between 100 and 200 ms the 95th percentile is 95 % of the way.
    assert run.latency_ms["mean"] == 150.0
    assert run.latency_ms["p95"] == pytest.approx(195.0)
    assert run.latency_ms["queries"] == {"q1": 100.0, "q2": 200.0}
    assert report.dataset["queries"] == 2
    assert report.queries["q2"] == {
        "text": "catch it",
        "category": "error_search",
        "expected": ["errors.py", "log.py"],
    }


def test_akashic_without_queries_has_means_alone(read):
    value = FILES["akashic"]()
    del value["query_results"]
    (run,) = read(value).runs
    assert run.scores["ndcg@10"] == 0.75
    assert run.per_query == {}
    assert run.latency_ms == {"mean": 150.0}


def test_failed_queries_of_akashic_are_not_timed(read):
    value = FILES["akashic"]()
    value["query_results"][1] |= {"error": "no connection", "latency_ms": 30_000.0}
    (run,) = read(value).runs
    assert run.failed == {"q2": "no connection"}
    assert run.latency_ms["p99"] == 100.0


def test_a_score_above_one_is_akashics_ndcg_and_is_not_tested_by_query(read):
    """Each chunk of a file earns gain there."""
    value = FILES["akashic"]()
    value["query_results"][0]["ndcg_at_10"], value["summary"]["avg_ndcg_at_10"] = 2.1, 1.3
    (run,) = read(value).runs
    assert run.scores["ndcg@10"] == 1.3
    assert {m for row in run.per_query.values() for m in row} == {"mrr@10", "recall@5", "recall@10"}


def test_exocortex(read):
    report = read(FILES["exocortex"]())
    (run,) = report.runs
    assert run.name == "some-model"
    assert run.scores == {"mrr@10": 0.5, "recall@10": 0.75, "ndcg@10": 0.625}
    assert run.latency_ms == {"p50": 20, "p95": 60, "p99": 90}
    # 1,000 of theirs are 2^20 bytes each.
    assert run.indexing == {"files": 400, "files_per_second": 12.5, "peak_memory_mb": 1048.576}
    assert run.storage == {"index_bytes": 2_000_000, "bytes_per_document": 5000}
    assert report.environment == {
        "platform": "linux-x64",
        "memory_mb": 8192,
        "packages": {"node": "22.1.0"},
    }


def test_the_smallest_exocortex_baseline(read):
    (run,) = read({"results": {"retrieval": {"mrr10": 0}}}).runs
    assert run.scores == {"mrr@10": 0}


def test_exocortex_in_full(read):
    value = FILES["exocortex"]()
    value["results"]["performance"]["indexing"] |= {"durationMs": 2500, "totalTokens": 9}
    value["datasets"] = [
        {"name": "exact-match", "mrr10": 1.0, "recall10": 1.0},
        {"name": "cross-domain", "mrr10": 0.0, "recall10": 0.5},
    ]
    (run,) = read(value).runs
    assert run.indexing["seconds"] == 2.5
    assert run.collections["cross-domain"] == {"mrr@10": 0.0, "recall@10": 0.5}


def test_the_summary_of_sia_code(read):
    report = read(FILES["sia_code"]())
    assert report.benchmark["name"] == "some code"
    assert report.benchmark["primary"] == "recall@5"
    # Only the first five files have a rank: it is the reciprocal rank at 5.
    assert [run.scores for run in report.runs] == [
        {"recall@5": 0.9, "mrr@5": 0.8},
        {"recall@5": 0.85, "mrr@5": 0.75},
    ]
    assert [run.errors for run in report.runs] == [2, 2]


def test_the_results_of_one_configuration_of_sia_code(read):
    report = read(FILES["sia_code_results"]())
    (run,) = report.runs
    assert run.scores == {"recall@5": 0.75, "mrr@5": 0.625}
    assert {key: row["mrr@5"] for key, row in run.per_query.items()} == {
        "a1": 1.0,
        "a2": 0.0,
        "b1": 0.5,
        "b2": 1.0,
    }
    assert [row["recall@5"] for row in run.per_query.values()] == [1.0, 0.0, 1.0, 1.0]
    assert report.queries["b1"] == {"collection": "b"}


def test_hits_that_are_not_the_recall_are_hits(read):
    """A query with several right files is a hit with one of them."""
    value = FILES["sia_code_results"]()
    value["recall@5"] = 0.5
    (run,) = read(value).runs
    assert run.scores == {"recall@5": 0.5, "mrr@5": 0.625, "hit@5": 0.75}
    assert "recall@5" not in run.per_query["a1"]
    assert run.per_query["a1"]["hit@5"] == 1.0


def test_repositories_of_sia_code_are_added_up(read):
    sizes = {"a": {"index_bytes": 10, "seconds": 1.5}, "b": {"index_bytes": 20, "queries": 2}}
    (run,) = read(FILES["sia_code_results"](repositories=sizes)).runs
    assert run.storage == {"index_bytes": 30}
    assert run.indexing == {}  # of b the seconds are not known
    assert run.collections == {"a": {}, "b": {"queries": 2}}


def test_semantik(read):
    report = read(FILES["semantik"]())
    assert [run.name for run in report.runs] == ["dense-top_k=100", "hybrid-top_k=100-rrf_k=60"]
    first, second = report.runs
    assert first.scores == {
        "mrr": 0.5,
        "ap": 0.375,
        "precision@5": 0.25,
        "ndcg@5": 0.5,
        "ndcg@10": 0.625,
    }
    assert second.scores["recall@10"] == 0.75
    assert report.benchmark["primary"] == "ndcg@10"
    assert first.latency_ms == {}  # the time of a whole run is no latency


def test_the_queries_of_a_run_of_semantik(read):
    report = read(FILES["semantik_queries"]())
    (run,) = report.runs
    assert run.scores == {"mrr": 0.625, "ndcg@5": 0.625}
    assert run.per_query["q2"] == {"mrr": 0.25, "ndcg@5": 0.5}
    assert run.latency_ms["p50"] == 20.0
    assert report.queries["q1"] == {"text": "one"}
    assert report.notes == ()


def test_a_k_that_the_file_does_not_say_is_noted(read):
    value = FILES["semantik_queries"]()
    del value["primary_k"]
    report = read(value)
    assert "ndcg@10" in report.runs[0].scores
    assert "10" in report.notes[0]


def test_times_are_not_known_where_a_reranker_had_its_own(read):
    value = FILES["semantik_queries"]()
    value["results"][0]["rerank_time_ms"] = 50
    assert read(value).runs[0].latency_ms == {}


def test_runs_of_semantik_that_failed(read):
    value = FILES["semantik"]()
    value["runs"][1] |= {"status": "failed", "error_message": "no model", "metrics": {}}
    run = read(value).runs[1]
    assert (run.status, run.error, run.scores) == ("failed", "no model", {})


def test_consciousdb(read):
    report = read(FILES["consciousdb"]())
    assert [run.name for run in report.runs] == ["Cosine", "ConsciousDB", "ConsciousDB+MMR"]
    cosine, ours, diversified = report.runs
    assert cosine.structure is None
    assert ours.scores == {"ndcg@10": 0.5, "mrr@10": 0.6}
    assert ours.latency_ms == {"p95": 40.0}
    uplift = ours.structure.method("coherence").uplift
    assert uplift["ndcg@10"].relative == 0.25
    assert uplift["mrr@10"].difference == pytest.approx(0.1)
    # Where the file has no uplift, it follows from the scores: 0.48 over 0.40.
    assert diversified.structure.method("coherence_mmr").uplift["ndcg@10"].relative == (
        pytest.approx(0.2)
    )


def test_the_reporting_template_of_consciousdb(read):
    template = {
        "fallback_rate": 0.03,
        "easy_gate_rate": 0.44,
        "redundancy": 0.37,
        "edge_overlap": {"median": 0.31, "p10": 0.2},
        "condition_bound": {"p95": 6.0, "histogram": {"edges": [1, 4, 7], "counts": [30, 70]}},
    }
    structure = read(FILES["consciousdb"](**template)).runs[1].structure
    assert structure.rates == {"fallback": 0.03, "easy": 0.44, "low_impact": None}
    assert structure.distributions["edge_overlap"].percentiles == {"p50": 0.31, "p10": 0.2}
    assert structure.distributions["condition_bound"].values == 100
    # It was measured before diversifying.
    assert structure.method("coherence").redundancy == 0.37
    assert structure.method("coherence_mmr").redundancy is None


def test_a_metric_that_one_query_lacks_is_not_paired(read):
    value = FILES["akashic"]()
    del value["query_results"][1]["mrr"]
    (run,) = read(value).runs
    assert run.scores["mrr@10"] == 0.75
    assert all("mrr@10" not in row and "ndcg@10" in row for row in run.per_query.values())


def test_queries_whose_mean_is_another_than_the_files_are_not_paired(read):
    value = FILES["akashic"]()
    value["summary"]["avg_mrr"] = 0.7
    (run,) = read(value).runs
    assert run.scores["mrr@10"] == 0.7
    assert all("mrr@10" not in row for row in run.per_query.values())


def test_several_reports_in_one_file(read):
    both = [FILES["akashic"](), copy.deepcopy(FILES["akashic"]())]
    both[1]["config"]["name"] = "large chunks"
    report = read({"reports": both, "recommendations": {}})
    assert [run.name for run in report.runs] == ["small chunks", "large chunks"]


def test_percentiles_need_the_latency_of_each_query(read):
    value = FILES["akashic"]()
    value["query_results"][1]["latency_ms"] = None
    assert read(value).runs[0].latency_ms == {"mean": 150.0}


def test_each_repository_of_sia_code_counts_the_same(read):
    """Of repository a one query of one is found, of b one of three: the mean is 2/3, not 1/2."""
    ranks = {"a1": 1, "b1": 1, "b2": 0, "b3": 0}
    rows = [{"query_id": key, "repo": key[0], "hit": r > 0, "rank": r} for key, r in ranks.items()]
    value = FILES["sia_code_results"](results=rows) | {"recall@5": 0.667, "mrr": 0.667}
    (run,) = read(value).runs
    assert run.per_query["b1"] == {"recall@5": 1.0, "mrr@5": 1.0}
