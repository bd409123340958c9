from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, ProblemsError
from assay.records import Configuration
from assay.searches.configuration.configuration import (
    configuration,
    describe,
    effective,
    problems,
)
from assay.searches.configuration.nested_settings import STAGES
from assay.searches.configuration.settings import SETTINGS


def test_nothing_but_a_name_is_the_default_search():
    assert configuration({"name": "default"}) == Configuration()


def test_what_a_lexical_search_has_no_use_for_is_none():
    chosen = configuration({"name": "bm25", "search": "lexical"})
    assert (chosen.lexical, chosen.dense, chosen.model) == ("tantivy", None, None)
    assert (chosen.precision, chosen.fusion, chosen.rrf_k) == (None, None, None)


@pytest.mark.parametrize(
    ("word", "means"),
    [("bm25", "lexical"), ("keyword", "lexical"), ("vector", "dense"), ("semantic", "dense")],
)
def test_words_of_others_for_a_kind_of_search(word, means):
    assert configuration({"search": word}) == configuration({"search": means})
    assert effective(Configuration(search=word)) == configuration({"search": means})
    model = {"search": word, "model": "static"}
    assert bool(problems(model)) == (means == "lexical")  # which has no use for a model


def test_defaults_that_follow_from_other_settings():
    chosen = configuration({"fusion": "rrf", "rerank": "maxsim", "depth": 30})
    assert (chosen.rrf_k, chosen.rerank_depth, chosen.top_k) == (60, 30, 30)
    assert configuration({"rerank": "maxsim"}).rerank_depth == 50


def test_k1_and_b_need_an_engine_that_takes_them():
    chosen = configuration({"search": "bm25", "b": 0})
    assert (chosen.lexical, chosen.k1, chosen.b) == ("postings", 1.2, 0.0)
    assert effective(Configuration(b=0.0)) == configuration({"b": 0})
    assert describe(chosen) == {**describe(chosen), "k1": 1.2, "b": 0.0}


@pytest.mark.parametrize("engine", ["tantivy", "fts5"])
def test_what_an_engine_has_built_in_may_be_said(engine):
    usual = {"lexical": engine, "search": "lexical"}
    assert configuration({**usual, "k1": 1.2, "b": 0.75}) == configuration(usual)
    assert "k1" not in describe(configuration(usual))


def test_only_what_takes_effect_is_described():
    told = describe(configuration({"name": "x", "search": "lexical", "chunker": "whole"}))
    assert told == {
        "search": "lexical",
        "chunker": "whole",
        "lexical": "tantivy",
        "lexical_unit": "auto",
        "collapse": "max",
        "depth": 200,
        "top_k": 100,
    }
    whole = {"search": "lexical", "lexical_unit": "document"}
    assert "collapse" not in describe(configuration(whole))


def test_a_code_chunk_is_told_in_tokens_and_characters():
    told = describe(configuration({"chunker": "code", "chunk_size": 100}))
    assert (told["chunk_size"], told["chunk_characters"]) == (100, 260)
    assert "overlap" not in told
    assert "chunk_characters" not in describe(configuration({"chunker": "text"}))


def test_weights_are_described_even_if_they_are_the_fusions_own():
    given = configuration({"fusion": "min_max", "weights": [1, 3]})
    assert given.weights == (1.0, 3.0)
    assert describe(given)["weights"] == [1.0, 3.0]
    assert describe(configuration({"fusion": "min_max"}))["weights"] == [0.4, 0.6]


def test_equal_configurations_of_different_names_are_described_alike():
    one, other = configuration({"name": "a", "top_k": 100}), configuration({"name": "b"})
    assert describe(one) == describe(other)


REFUSED = [  # settings, and the one that cannot be applied
    ({"serch": "dense"}, "serch"),
    ({"search": "fuzzy"}, "search"),
    ({"chunker": "fixd"}, "chunker"),
    ({"chunk_size": 0}, "chunk_size"),
    ({"chunk_size": 25.5}, "chunk_size"),
    ({"chunk_size": "256"}, "chunk_size"),
    ({"chunk_size": True}, "chunk_size"),
    ({"chunk_size": None}, "chunk_size"),
    ({"chunk_size": [256, 512]}, "chunk_size"),
    ({"rerank": [None, "maxsim"]}, "rerank"),
    ({"threshold": 1.5}, "threshold"),
    ({"threshold": float("nan")}, "threshold"),
    ({"weights": [1]}, "weights"),
    ({"weights": [0, 0]}, "weights"),
    ({"weights": [1, float("inf")]}, "weights"),
    ({"greedy": "yes"}, "greedy"),
    ({"model": "minilmm"}, "model"),
    ({"model": 7}, "model"),
    ({"rerank": "cross"}, "rerank"),
    ({"model": "sentence-transformer"}, "model"),
    ({"rerank": "maxsin"}, "rerank"),
    ({"precision": "int4"}, "precision"),
    ({"name": ""}, "name"),
    ({"name": 3}, "name"),
    ({"name": "a\nb"}, "name"),
    # What would have no effect:
    ({"rrf_k": 60}, "rrf_k"),
    ({"search": "lexical", "model": "minilm"}, "model"),
    ({"search": "lexical", "precision": "int8"}, "precision"),
    ({"search": "lexical", "dense": "exact"}, "dense"),
    ({"search": "lexical", "weights": [1, 1]}, "weights"),
    ({"search": "dense", "lexical": "fts5"}, "lexical"),
    ({"search": "dense", "rrf_k": 9}, "rrf_k"),
    ({"search": "dense", "fusion": "rrf"}, "fusion"),
    ({"rerank_depth": 9}, "rerank_depth"),
    ({"chunker": "code", "overlap": 9}, "overlap"),
    ({"chunker": "text", "greedy": True}, "greedy"),
    ({"chunker": "whole", "chunk_size": 9}, "chunk_size"),
    ({"search": "lexical", "lexical_unit": "document", "collapse": "sum"}, "collapse"),
    ({"search": "dense", "lexical_unit": "chunk"}, "lexical_unit"),
    # What cannot be together:
    ({"model": None}, "model"),
    ({"lexical": None}, "lexical"),
    ({"fusion": "min_max", "threshold": 0.5}, "threshold"),
    ({"search": "lexical", "rerank": "maxsim"}, "rerank"),
    ({"chunker": "text", "overlap": 256}, "overlap"),
    ({"depth": 50, "top_k": 60}, "top_k"),
    ({"rerank": "maxsim", "rerank_depth": 401}, "rerank_depth"),
]


@pytest.mark.parametrize(("given", "setting"), REFUSED, ids=str)
def test_a_setting_that_cannot_be_applied_is_refused(snapshot, given, setting):
    with pytest.raises(InputError) as refused:
        configuration(given, where="here")
    assert str(refused.value).startswith((f"here, {setting}: ", f"here: {setting} "))
    snapshot(refused.value)


def test_all_problems_are_told_at_once():
    with pytest.raises(ProblemsError) as refused:
        configuration({"search": "fuzzy", "depth": -1, "colapse": "max"})
    assert len(refused.value.problems) == 3


def test_results_must_reach_as_deep_as_the_metrics_look():
    assert problems({"top_k": 10}, cutoff=10) == []
    (one,) = problems({"top_k": 9}, cutoff=10)
    assert one.setting == "top_k"
    assert "10" in one.message
    assert "top_k: 10" in one.hint
    (one,) = problems({"depth": 9}, cutoff=10)
    assert one.setting == "depth"
    (one,) = problems({}, cutoff=1000)
    assert "top_k: 1000" in one.hint
    assert "depth: 1000" in one.hint


@pytest.mark.parametrize(
    "model", ["ollama:nomic-embed-text", "openai:text-embedding-3-small", "models/mine"]
)
def test_models_of_servers_and_folders_are_no_misspellings(model):
    assert configuration({"model": model}).model == model


def test_every_setting_of_the_record_can_be_given():
    own = ["name", *SETTINGS, "unit"]  # the unit is that of the whole benchmark
    assert own == [field.name for field in fields(Configuration)]


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES |= st.sampled_from(["hybrid", "lexical", "dense", "rrf", "code", "max", "maxsim", "text"])
VALUES |= st.lists(st.integers(0, 3), max_size=3)


@given(st.dictionaries(st.sampled_from(["name", "other", *SETTINGS]), VALUES, max_size=5))
def test_any_mapping_becomes_a_configuration_or_a_message(given):
    try:
        chosen = configuration(given)
    except InputError:
        return
    told = describe(chosen)
    for key, value in given.items():
        if key not in ("name", *STAGES) and value is not None:
            assert told[key] == value or key == "weights"
    assert chosen.depth >= chosen.top_k
