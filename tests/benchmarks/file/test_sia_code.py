"""sia-code's settings are ours, or are refused with what to do."""

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import ProblemsError


def read(*configurations):
    return read_benchmark({"dataset": "stdlib", "configurations": [*configurations]})


def test_its_two_configurations():
    chunks = {"max_chunk_size": 1200, "min_chunk_size": 50, "merge_threshold": 0.8}
    lexical, hybrid = read(
        {"name": "lexical_only", "embedding_enabled": False, "vector_weight": 0.0, **chunks},
        {"name": "w05", "embedding_enabled": True, "vector_weight": 0.5, "greedy_merge": False},
    ).configurations
    assert (lexical.search, lexical.chunk_size, lexical.min_chunk) == ("lexical", 462, 19)
    assert lexical.merge_below == 0.8
    assert (hybrid.search, hybrid.fusion, hybrid.weights) == ("hybrid", "rrf", (0.5, 0.5))
    assert hybrid.greedy is False


@pytest.mark.parametrize(
    ("weight", "search", "weights"),
    [(0, "lexical", None), (1.0, "dense", None), (0.7, "hybrid", (0.3, 0.7))],
)
def test_the_weight_decides_how_to_search(weight, search, weights):
    (one,) = read({"name": "a", "vector_weight": weight}).configurations
    assert (one.search, one.weights) == (search, weights)


def test_lists_multiply():
    found = read({"name": "a", "vector_weight": [0, 0.3, 0.5, 1]}).configurations
    assert {(one.search, one.weights) for one in found} == {
        ("lexical", None),
        ("hybrid", (0.7, 0.3)),
        ("hybrid", (0.5, 0.5)),
        ("dense", None),
    }


def test_settings_by_part_are_the_same():
    nested = {"embedding": {"enabled": True, "model": "static"}, "search": {"vector_weight": 0.5}}
    flat = {"embedding_enabled": True, "embedding_model": "static", "vector_weight": 0.5}
    assert read({"name": "a"} | nested).configurations == read({"name": "a"} | flat).configurations


def test_a_whole_file_of_them(tmp_path):
    (tmp_path / "c.yaml").write_text(
        "- {name: a, vector_weight: 0}\n- {name: b, vector_weight: 0.5}"
    )
    found = read_benchmark(tmp_path / "c.yaml", dataset="stdlib").configurations
    assert [one.search for one in found] == ["lexical", "hybrid"]


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"vector_weight": 2}, "vector_weight"),
        ({"vector_weight": True}, "vector_weight"),
        ({"vector_weight": 0.5, "merge_threshhold": 0.8}, "merge_threshhold"),
        ({"vector_weight": 0.5, "search": "dense"}, "vector_weight"),
        ({"embedding_enabled": "no"}, "embedding_enabled"),
        ({"max_chunk_size": "large"}, "max_chunk_size"),
        ({"max_chunk_size": -1}, "max_chunk_size"),
        ({"merge_threshold": 2, "vector_weight": 0}, "merge_threshold"),
        ({"embedding": {"enable": True}}, "embedding.enable"),
        ({"embedding": {"enabled": True, "model": "BAAI/bge-small-en-v1.5"}}, "embedding_model"),
    ],
)
def test_what_is_wrong_is_told_in_its_words(given, place):
    with pytest.raises(ProblemsError) as caught:
        read({"name": "a"} | given)
    assert any(place in one.where for one in caught.value.problems)


def test_a_misspelled_setting_is_told_the_nearest_of_its_own():
    with pytest.raises(ProblemsError) as caught:
        read({"name": "a", "vector_weight": 0.5, "merge_threshhold": 0.8})
    assert [one.hint for one in caught.value.problems] == ['did you mean "merge_threshold"?']


def test_without_embeddings_the_weight_is_not_used():
    (one,) = read({"name": "a", "vector_weight": 0.5, "embedding_enabled": False}).configurations
    assert (one.search, one.weights) == ("lexical", None)


def test_its_settings_file_runs_as_it_is(tmp_path):
    (tmp_path / "c.yaml").write_text(
        "embedding: {enabled: true, model: static}\nsearch: {vector_weight: 0.7}\n"
        "chunking: {max_chunk_size: 1200}\n"
    )
    (one,) = read_benchmark(tmp_path / "c.yaml", dataset="stdlib").configurations
    assert (one.name, one.search, one.weights) == ("sia-code", "hybrid", (0.3, 0.7))
