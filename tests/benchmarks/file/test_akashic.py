"""Akashic's configurations and suites run as they are, or say which setting cannot be applied."""

import re

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import ProblemsError

# Its shape: names of lists of configurations; the models are some that come along.
SUITES = """
small:
  - name: "plain"
    chunk_size: 1024
    embedding_model: "all-MiniLM-L6-v2"
    use_reranker: false

  - name: "second_look"
    chunk_size: 1024
    embedding_model: "sentence-transformers/all-MiniLM-L6-v2"
    use_reranker: true
    reranker_model: None
sizes:
  - {name: few, chunk_size: 512, embedding_model: minilm, use_reranker: True}
  - {name: many, chunk_size: 128, embedding_model: static, use_reranker: False}
"""


@pytest.fixture
def read(tmp_path):
    def read(text, **options):
        (tmp_path / "configs.yaml").write_text(text)
        return read_benchmark(tmp_path / "configs.yaml", **{"dataset": "stdlib", **options})

    return read


def refusals(read, text, **options):
    with pytest.raises(ProblemsError) as refused:
        read(text, **options)
    return [
        (one.where.partition(".yaml, ")[2], one.problem, one.hint) for one in refused.value.problems
    ]


def test_a_suite_is_chosen_by_its_name(read):
    benchmark = read(SUITES, suite="small")
    plain, reranked = benchmark.configurations
    assert (plain.name, plain.search, plain.model) == ("plain", "dense", "minilm")
    assert (plain.chunk_size, plain.rerank) == (1024, None)
    assert (reranked.model, reranked.rerank) == ("minilm", "maxsim")
    assert benchmark.baseline == "plain"
    assert [one.model for one in read(SUITES, suite="sizes").configurations] == ["minilm", "static"]


def test_without_a_name_the_suites_are_told(read, snapshot):
    (only,) = refusals(read, SUITES)
    assert "small, sizes" in only[1]
    assert "--suite" in only[2]
    snapshot(only)


def test_the_suites_that_come_along_can_be_chosen_all_the_same(read):
    assert len(read(SUITES, suite="quick_test").configurations) == 2
    (only,) = refusals(read, SUITES, suite="smal")
    assert '"small"?' in only[2]


def test_one_suite_needs_no_name_and_stands_under_our_keys_too(read, tmp_path):
    one = SUITES.partition("sizes:")[0]
    assert len(read(one).configurations) == 2
    under = "corpus: stdlib\nsuites:" + one.replace("\n", "\n  ") + "\n"
    assert read(under).configurations == read(one).configurations
    listed = "configs:" + one.partition("small:")[2]
    assert read(listed).configurations == read(one).configurations
    alone = "name: few\nchunk_size: 512\nembedding_model: minilm\nuse_reranker: true\n"
    assert [one.rerank for one in read(alone).configurations] == ["maxsim"]
    assert [one.name for one in read(f"[{{{', '.join(alone.split(chr(10))[:4])}}}]").configurations]


def test_a_model_that_is_not_here_is_said_with_its_line_and_what_would_do(read, snapshot):
    """As in the file that it came with."""
    text = SUITES.replace("all-MiniLM-L6-v2", "nomic-embed-text-v1.5", 1)
    text = text.replace("reranker_model: None", 'reranker_model: "BAAI/bge-reranker-base"')
    first, second = refusals(read, text, suite="small")
    assert re.fullmatch('line 5, suite "small", configuration ".+", embedding_model', first[0])
    assert re.fullmatch('line 12, suite "small", configuration ".+", reranker_model', second[0])
    assert ("minilm" in first[2], "static" in first[2]) == (True, True)
    assert "maxsim" in second[2]
    snapshot([*first, *second])


def test_a_model_beside_the_file_is_found(read, tmp_path):
    (tmp_path / "models" / "mine").mkdir(parents=True)
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / "models" / "mine" / name).touch()
    text = "configs: [{name: a, embedding_model: models/mine, use_reranker: false}]\n"
    assert read(text).configurations[0].model == str(tmp_path / "models/mine")


def test_lists_multiply_here_too(read):
    text = "configs: [{name: a, chunk_size: [64, 128], use_reranker: [false, true]}]\n"
    assert [one.name for one in read(text).configurations] == [
        "a chunk_size=64 rerank=none",
        "a chunk_size=64 rerank=maxsim",
        "a chunk_size=128 rerank=none",
        "a chunk_size=128 rerank=maxsim",
    ]


REFUSED = [
    ("use_reranker: 1", "use_reranker"),
    ("use_reranker: maybe", "use_reranker"),
    ("use_reranker: false, reranker_model: x", "reranker_model"),
    ("use_reranker: true, reranker_model: 5", "reranker_model"),
    ("use_reranker: true, embedding_model: 5", "embedding_model"),
    ("use_reranker: true, embedding_model: static", "use_reranker"),
    ("use_reranker: true, search: lexical", "use_reranker"),
    ("use_reranker: false, chunk_sice: 4", "chunk_sice"),
]


@pytest.mark.parametrize(("given", "key"), REFUSED)
def test_what_cannot_be_applied_is_said(read, snapshot, given, key):
    (only,) = refusals(read, f"configs:\n  - {{name: a, {given}}}\n")
    assert only[0] == f'line 2, configuration "a", {key}'
    snapshot(only)


def test_our_words_may_stand_beside_theirs(read):
    """A setting that is said in our words alone is not overwritten by what Akashic would do."""
    text = "configs: [{name: a, embedding_model: minilm, rerank: maxsim, search: hybrid}]\n"
    (only,) = read(text).configurations
    assert (only.model, only.rerank, only.search) == ("minilm", "maxsim", "hybrid")


@pytest.mark.parametrize(
    ("shared", "wanted"),
    [
        ("rerank: maxsim", ("dense", "minilm", "maxsim")),
        ("search: hybrid", ("hybrid", "minilm", None)),
        ("model: static", ("dense", "minilm", None)),
    ],
)
def test_settings_of_all_configurations_hold_for_theirs_too(read, shared, wanted):
    text = f"matrix: {{{shared}}}\nconfigs:\n  - {{name: a, embedding_model: minilm}}\n"
    text += "  - {name: b, reranker_model: None}\n"
    first = read(text).configurations[0]
    assert (first.search, first.model, first.rerank) == wanted


def test_what_stands_in_the_matrix_is_blamed_there_in_our_words(read):
    text = "matrix: {model: statik}\nconfigs: [{name: a, use_reranker: true}]\n"
    (only,) = refusals(read, text)
    assert only[0] == "line 1, matrix.model"
    assert '"statik"' in only[1]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("model: static", "embedding_model: minilm"),
        ("rerank: maxsim", "use_reranker: false"),
        ("rerank: maxsim", "use_reranker: true"),
    ],
)
def test_two_words_for_one_setting_are_refused_with_both_lines(read, snapshot, ours, theirs):
    mine, its = ours.partition(":")[0], theirs.partition(":")[0]
    (only,) = refusals(read, f"configs:\n  - name: a\n    {ours}\n    {theirs}\n")
    assert only[0] == f'line 4, configuration "a", {its}'
    assert f"{mine} in line 3" in only[1]
    snapshot(only)


def test_suites_are_named_under_the_key_that_the_file_has(read):
    (only,) = refusals(read, "configs:\n  small:\n    - {name: a, chunk_sice: 5}\n")
    assert only[0] == 'line 3, suite "small", configuration "a", chunk_sice'


@pytest.mark.parametrize("key", ["configs", "configurations"])
def test_lists_under_our_keys_are_no_suites(key):
    given = {"datasets": ["stdlib", "short-queries"], "metrics": ["ndcg@5", "mrr"]}
    given |= {"primary": None, key: [{"name": "a", "embedding_model": "minilm"}]}
    for keys in (given, {name: its for name, its in given.items() if its}):
        benchmark = read_benchmark(keys)
        assert [one.dataset for one in benchmark.datasets] == ["stdlib", "short-queries"]
        assert [one.name for one in benchmark.configurations] == ["a"]


def test_the_only_suite_of_a_file_is_run_with_the_settings_of_all(read):
    suites = "suites: {small: [{name: a, search: lexical}, {name: b, embedding_model: minilm}]}\n"
    benchmark = read(f"matrix: {{top_k: 50}}\n{suites}")
    assert [(one.name, one.top_k) for one in benchmark.configurations] == [("a", 50), ("b", 50)]
    (only,) = refusals(read, "matrix: {top_k: 50}\nsuites: {x: [{name: a}], y: [{name: a}]}\n")
    assert "x, y" in only[1]
    assert "--suite" in only[2]


def test_a_reranker_that_is_named_and_not_switched_on_is_refused(read, snapshot):
    text = "configs: [{name: a, reranker_model: x}]\n"
    with pytest.raises(ProblemsError) as refused:
        read(text)
    (only,) = refused.value.problems  # nothing is wrong with what is not there
    assert only.where.endswith("reranker_model")
    snapshot(only)
