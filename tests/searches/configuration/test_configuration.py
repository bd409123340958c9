from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, ProblemsError
from assay.records import Configuration
from assay.searches.configuration.configuration import configuration, describe, problems
from assay.searches.configuration.nested_settings import STAGES
from assay.searches.configuration.settings import SETTINGS


def test_nothing_but_a_name_is_the_default_search():
    assert configuration({"name": "default"}) == Configuration()


def test_what_a_lexical_search_has_no_use_for_is_none():
    chosen = configuration({"name": "bm25", "search": "lexical"})
    assert (chosen.lexical, chosen.dense, chosen.model) == ("tantivy", None, None)
    assert (chosen.precision, chosen.fusion, chosen.rrf_k) == (None, None, None)


def test_defaults_that_follow_from_other_settings():
    chosen = configuration({"fusion": "rrf", "rerank": "maxsim", "depth": 30})
    assert (chosen.rrf_k, chosen.rerank_depth, chosen.top_k) == (60, 30, 30)
    assert configuration({"rerank": "maxsim"}).rerank_depth == 50


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


REFUSED = [
    ({"serch": "dense"}, "serch is no setting of a configuration", 'did you mean "search"?'),
    ({"search": "fuzzy"}, 'search cannot be "fuzzy"', "it can be hybrid, lexical, dense"),
    ({"chunker": "fixd"}, 'chunker cannot be "fixd"', 'did you mean "fixed"?'),
    ({"chunk_size": 0}, "chunk_size cannot be 0", "give a whole number from 1 to 100,000"),
    ({"chunk_size": 25.5}, "chunk_size cannot be 25.5", "a whole number"),
    ({"chunk_size": "256"}, "chunk_size cannot be '256'", "a whole number"),
    ({"chunk_size": True}, "chunk_size cannot be true", "a whole number"),
    ({"chunk_size": None}, "chunk_size cannot be null", "a whole number"),
    ({"chunk_size": [256, 512]}, "chunk_size is a list, and one search has one value", "give "),
    ({"rerank": [None, "maxsim"]}, "rerank is a list, and one search has one value", "give "),
    ({"threshold": 1.5}, "threshold cannot be 1.5", "from 0 to 1"),
    ({"threshold": float("nan")}, "threshold cannot be nan", "from 0 to 1"),
    ({"weights": [1]}, "weights cannot be [1]", "two numbers"),
    ({"weights": [0, 0]}, "weights cannot be [0, 0]", "not both 0"),
    ({"weights": [1, float("inf")]}, "weights cannot be [1, inf]", "two numbers"),
    ({"greedy": "yes"}, "greedy cannot be 'yes'", "true or false"),
    ({"model": "minilmm"}, 'model cannot be "minilmm"', 'did you mean "minilm"?'),
    ({"model": 7}, "model cannot be 7", "one of"),
    ({"rerank": "cross"}, 'rerank cannot be "cross"', "it can be cross-encoder, maxsim"),
    ({"model": "sentence-transformer"}, "model cannot be", 'did you mean "sentence-transformers"?'),
    ({"rerank": "maxsin"}, 'rerank cannot be "maxsin"', 'did you mean "maxsim"?'),
    ({"precision": "int4"}, 'precision cannot be "int4"', 'did you mean "int8"?'),
    ({"name": ""}, "name cannot be ''", "give a text"),
    ({"name": 3}, "name cannot be 3", "give a text"),
    ({"name": "a\nb"}, "name cannot be shown in a table", "one line"),
    # What would have no effect:
    ({"rrf_k": 60}, "rrf_k has no effect with fusion: blend", "add fusion: rrf"),
    ({"search": "lexical", "model": "minilm"}, "model has no effect", "leave it out"),
    ({"search": "lexical", "precision": "int8"}, "precision has no effect", "leave it out"),
    ({"search": "lexical", "dense": "exact"}, "dense has no effect", "leave it out"),
    ({"search": "lexical", "weights": [1, 1]}, "weights has no effect", "leave it out"),
    ({"search": "dense", "lexical": "fts5"}, "lexical has no effect", "leave it out"),
    ({"search": "dense", "rrf_k": 9}, "rrf_k has no effect with search: dense", "leave it out"),
    ({"search": "dense", "fusion": "rrf"}, "fusion has no effect with search: dense", "leave"),
    ({"rerank_depth": 9}, "rerank_depth has no effect without rerank", "name a reranker"),
    ({"chunker": "code", "overlap": 9}, "overlap has no effect with chunker: code", "it takes"),
    ({"chunker": "text", "greedy": True}, "greedy has no effect with chunker: text", "it takes"),
    ({"chunker": "whole", "chunk_size": 9}, "chunk_size has no effect", "leave it out"),
    (
        {"search": "lexical", "lexical_unit": "document", "collapse": "sum"},
        "collapse has no",
        "unit",
    ),
    ({"search": "dense", "lexical_unit": "chunk"}, "lexical_unit has no effect", "leave it out"),
    # What cannot be together:
    ({"model": None}, "model cannot be null with search: hybrid", "choose search"),
    ({"lexical": None}, "lexical cannot be null with search: hybrid", "choose search"),
    ({"fusion": "min_max", "threshold": 0.5}, "threshold has no meaning", "rrf"),
    ({"search": "lexical", "rerank": "maxsim"}, "rerank maxsim needs the token", "cross-encoder"),
    ({"chunker": "text", "overlap": 256}, "overlap must be smaller than chunk_size", "e.g. 32"),
    ({"depth": 50, "top_k": 60}, "top_k cannot be above depth (50)", "raise depth to 60"),
    ({"rerank": "maxsim", "rerank_depth": 401}, "rerank_depth is above all", "raise depth"),
]


@pytest.mark.parametrize(("given", "problem", "hint"), REFUSED)
def test_a_setting_that_cannot_be_applied_is_refused(given, problem, hint):
    with pytest.raises(InputError) as refused:
        configuration(given, where="here")
    assert problem in refused.value.problem
    assert hint in refused.value.hint
    assert refused.value.where == "here"


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
    assert ["name", *SETTINGS] == [field.name for field in fields(Configuration)]


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
