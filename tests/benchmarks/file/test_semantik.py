"""Semantik's configuration matrix runs as it is given, or says which setting cannot be applied."""

import json

import pytest

from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import ProblemsError

# The example of the document, as YAML has Python's words.
MATRIX = """
primary_k: 10
k_values_for_metrics: [5, 10, 20]
top_k_values: [100, 200]
search_modes: ["dense", "hybrid"]
use_reranker: [False, True]
rrf_k_values: [60]
score_thresholds: [None, 0.5]
"""


@pytest.fixture
def read(tmp_path):
    def read(text, name="matrix.yaml", **options):
        (tmp_path / name).write_text(text)
        return read_benchmark(tmp_path / name, **{"dataset": "stdlib", **options})

    return read


def refusals(read, text, **options):
    with pytest.raises(ProblemsError) as refused:
        read(text, **options)
    return [
        (one.where.partition(".yaml, ")[2], one.problem, one.hint) for one in refused.value.problems
    ]


def test_the_example_of_the_document_is_sixteen_cells(read, snapshot):
    benchmark = read(MATRIX)
    assert benchmark.cells == len(distinct(benchmark.configurations)) == 16
    assert benchmark.primary == "ndcg@10"
    at = {f"{name}@{k}" for name in ("precision", "recall", "ndcg") for k in (5, 10, 20)}
    assert set(benchmark.metrics) == at | {"mrr", "ap"}
    snapshot(benchmark.merged)
    dense, hybrid = benchmark.configurations[0], benchmark.configurations[7]
    assert (dense.search, dense.rerank, dense.top_k, dense.depth) == ("dense", None, 100, 100)
    assert (dense.rrf_k, dense.fusion, dense.threshold) == (None, None, None)
    assert hybrid.name == "top_k=100 search=hybrid rerank=maxsim threshold=0.5"
    assert (hybrid.fusion, hybrid.rrf_k, hybrid.rerank) == ("rrf", 60, "maxsim")
    assert (hybrid.threshold, hybrid.top_k) == (0.5, 100)


def test_it_reads_alike_under_its_key_in_json_and_beside_our_keys(read, tmp_path):
    whole = read(MATRIX)
    indented = MATRIX.replace("\n", "\n  ")
    assert read(f"config_matrix:{indented}\n").configurations == whole.configurations
    beside = read_benchmark(tmp_path / "matrix.yaml", dataset="stdlib")
    assert beside.configurations == whole.configurations
    given = {"primary_k": 10, "k_values_for_metrics": [5, 10, 20], "top_k_values": [100, 200]}
    given |= {"search_modes": ["dense", "hybrid"], "use_reranker": [False, True]}
    given |= {"rrf_k_values": [60], "score_thresholds": [None, 0.5]}
    assert read(json.dumps(given), "m.json").configurations == whole.configurations
    (tmp_path / "own.yaml").write_text(f"dataset: stdlib\n{MATRIX}")
    assert read_benchmark(tmp_path / "own.yaml").configurations == whole.configurations
    assert read_benchmark({"dataset": "stdlib", "config_matrix": given}).metrics == whole.metrics


def test_our_configurations_may_stand_beside_it(read):
    text = f"baseline: words\nconfigurations: [{{name: words, search: lexical}}]\n{MATRIX}"
    benchmark = read(text)
    assert benchmark.cells == 17
    assert benchmark.baseline == "words"


def test_what_the_service_was_asked_for(read):
    """The body of its request: the mapping is a row of its database, and we name the dataset."""
    given = {"name": "v1", "description": "dense or hybrid", "mapping_id": 1, "top_k": 10}
    given["config_matrix"] = {"search_modes": ["dense", "hybrid"], "use_reranker": [True]}
    given["config_matrix"] |= {
        "top_k_values": [20],
        "rrf_k_values": [60],
        "score_thresholds": [None],
    }
    given["metrics_to_compute"] = ["precision", "mrr"]
    benchmark = read(json.dumps(given), "asked.json")
    assert benchmark.metrics == ("ndcg@10", "precision@5", "precision@10", "precision@20", "mrr")
    assert [one.name for one in benchmark.configurations] == ["search=dense", "search=hybrid"]
    with pytest.raises(ProblemsError, match="no dataset") as refused:
        read_benchmark(given)
    assert "mapping_id 1" in refused.value.problems[0].hint


def test_runs_that_ignore_the_constant_are_merged(read, snapshot):
    benchmark = read("search_modes: [dense]\nrrf_k_values: [10, 60]\n")
    assert benchmark.cells == 2
    assert [(one.name, also) for one, also in distinct(benchmark.configurations)] == [
        ("default", ("rrf_k=60",))
    ]
    snapshot(benchmark.merged)


def test_words_and_empty_lists(read, snapshot):
    benchmark = read("search_modes: [sparse, hybrid]\nrrf_k_values: []\nuse_reranker: [no, yes]\n")
    assert benchmark.configurations[0].search == "lexical"
    assert benchmark.configurations[-1].rrf_k == 60
    snapshot(benchmark.merged)
    assert len(distinct(benchmark.configurations)) == 3


REFUSED = [
    (
        "k_values_for_metrics: [5, 10, 20]\ntop_k_values: [10]\nsearch_modes: [dense]\n",
        "line 2, top_k_values[0]",
    ),
    ("search_modes: [dense, colbert]\n", "line 1, search_modes"),
    ("search_modes: [sparse]\nuse_reranker: [true]\n", "line 2, use_reranker"),
    ("search_modes: [dense]\nuse_reranker: [5]\n", "line 2, use_reranker"),
    ("search_modes: [dense]\ntop_k_values: [x]\n", "line 2, top_k_values[0]"),
    ("search_modes: [dense]\ntop_k_values: [50, 50]\n", "line 2, top_k_values[1]"),
    ("search_modes: [dense]\nscore_thresholds: [2]\n", "line 2, score_thresholds[0]"),
    ("search_modes: [dense]\nprimary_k: 0.5\n", "line 2, primary_k"),
    ("search_modes: [hybrid]\nrrf_k_values: [0]\n", "line 2, rrf_k_values[0]"),
    ("search_modes: [dense]\nk_values_for_metrics: [y]\n", "line 2, k_values"),
    ("config_matrix: {serch_modes: [dense]}\n", "line 1, config_matrix.serch"),
    ("config_matrix: 5\n", "line 1, config_matrix"),
    ("config_matrix: {primary_k: 5}\nmetrics_to_compute: []\n", "line 2, metrics_to"),
    ("config_matrix: {search_modes: [dense]}\ntop_k: 0\n", "line 2, top_k"),
    (
        "top_k: 5\nmetrics_to_compute: [mrr, ap]\nconfig_matrix: {k_values_for_metrics: [5]}\n",
        "line 3, config_matrix.k_values_for_metrics",
    ),
]


@pytest.mark.parametrize(("text", "place"), REFUSED)
def test_what_cannot_be_applied_is_said(read, snapshot, text, place):
    (only,) = refusals(read, text)
    assert only[0].startswith(place)
    snapshot(only)


def test_settings_of_all_configurations_hold_where_the_matrix_says_nothing(read):
    """Of what neither says, a search by vectors, fused by ranks, as deep as it has results."""
    shared = "matrix: {rerank: maxsim, fusion: min_max, chunk_size: [64, 128], depth: 300}\n"
    benchmark = read(f"{shared}config_matrix: {{search_modes: [hybrid], top_k_values: [50]}}\n")
    assert {one.rerank for one in benchmark.configurations} == {"maxsim"}
    assert {one.fusion for one in benchmark.configurations} == {"min_max"}
    assert {(one.top_k, one.depth) for one in benchmark.configurations} == {(50, 300)}
    assert benchmark.cells == 2
    benchmark = read("matrix: {search: [lexical, hybrid]}\nconfig_matrix: {top_k_values: [50]}\n")
    assert [one.search for one in benchmark.configurations] == ["lexical", "hybrid"]
    assert [one.fusion for one in benchmark.configurations] == [None, "rrf"]
    assert [one.depth for one in benchmark.configurations] == [50, 50]


def test_a_setting_of_all_that_the_matrix_says_itself_is_refused(read, snapshot):
    text = "matrix: {rerank: maxsim}\nconfig_matrix: {use_reranker: [false]}\n"
    (only,) = refusals(read, text)
    assert only[0] == "line 1, matrix.rerank"
    snapshot(only)


@pytest.mark.parametrize(
    ("ours", "theirs", "within"),
    [
        ("metrics: [mrr]", "k_values_for_metrics: [5]", True),
        ("metrics: [mrr]", "metrics_to_compute: [mrr]", False),
        ("primary: ndcg@5", "primary_k: 10", True),
        ("primary: ndcg@5", "top_k: 10", False),
        ("top_k: 5", "primary_k: 10", True),
    ],
)
def test_two_words_for_what_is_measured_are_refused_with_both_lines(
    read, snapshot, ours, theirs, within
):
    mine, its = ours.partition(":")[0], theirs.partition(":")[0]
    rest = "config_matrix:\n  search_modes: [dense]\n"
    text = f"{ours}\n{rest}  {theirs}\n" if within else f"{ours}\n{theirs}\n{rest}"
    (only,) = refusals(read, text)
    assert only[0] == (f"line 4, config_matrix.{its}" if within else f"line 2, {its}")
    assert f"{mine} in line 1" in only[1]
    snapshot(only)
