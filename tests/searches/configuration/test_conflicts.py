"""Whether a setting is left out of a cell or refused is said by its problem, not by its wording."""

import pytest

from assay.benchmarks.file import cells
from assay.benchmarks.file.cells import GivenConfiguration, cells_of
from assay.searches.configuration.configuration import configuration, describe
from assay.searches.configuration.conflicts import conflicts, idle, unseen
from assay.searches.configuration.problem import Problem

HOSTED = {"system": {"kind": "http", "url": "http://localhost"}}


@pytest.mark.parametrize("is_idle", [True, False])
def test_wording_does_not_decide_what_is_left_out(monkeypatch, is_idle):
    def reworded(given):
        if "overlap" in given:
            yield Problem("overlap", "has no effect" if not is_idle else "is ignored", "", is_idle)

    monkeypatch.setattr(cells, "idle", reworded)
    (cell,) = cells_of(GivenConfiguration("a", {"overlap": 1}), home="", cutoff=None)
    assert ("overlap" in cell.left) == is_idle
    assert ("overlap" in cell.settings) != is_idle
    assert bool(cell.wrong) != is_idle


@pytest.mark.parametrize(
    ("given", "setting", "is_idle"),
    [
        ({"search": "lexical", "model": "minilm"}, "model", True),
        ({"search": "lexical", "mmr": True}, "mmr", True),
        ({"search": "lexical", "rerank": "maxsim"}, "rerank", True),
        ({"search": "lexical", "lexical_unit": "document", "overlap": 1}, "overlap", True),
        ({"search": "hybrid", "coherence": True}, "coherence", True),
        ({"search": "dense", "coherence": {"directions": 8}}, "coherence.directions", True),
        ({"fusion": "blend", "weights": [1, 1], "rrf_k": 60}, "rrf_k", True),
        ({"lexical": "tantivy", "k1": 0.9}, "k1", True),
        ({"lexical": "fts5", "b": 0.4}, "b", True),
        ({"search": "dense", "k1": 0.9}, "k1", True),
        ({"k1": 0, "b": 0.4}, "b", True),
        ({"system": {"kind": "pgvector"}, "b": 0.4}, "b", True),
        ({"device": "cuda"}, "device", True),  # minilm is int8 for the CPU
        ({"model": "static", "device": "cpu"}, "device", True),
        ({"model": "openai:any", "device": "auto"}, "device", True),
        ({"search": "lexical", "device": "auto"}, "device", True),
        (HOSTED | {"price": {"per_core_hour": 1}}, "price.per_core_hour", True),
        (HOSTED | {"price": {"per_million_tokens": 1}}, "price.per_million_tokens", True),
        (
            {"search": "lexical", "price": {"per_million_tokens": 1}},
            "price.per_million_tokens",
            True,
        ),
        ({"m": 16}, "m", True),
        ({"dense": "exact", "ef_search": 64}, "ef_search", True),
        ({"dense": "ivf", "ef_search": 64}, "ef_search", True),
        ({"dense": "hnsw", "probes": 4}, "probes", True),
        ({"search": "lexical", "lists": 4}, "lists", True),
        ({"system": {"kind": "pgvector"}, "m": 16}, "m", True),
        ({"dense": "ivf", "lists": 4, "probes": 5}, "probes", False),
        ({"model": "given", "chunker": "fixed"}, "chunker", True),
        ({"model": "given", "chunk_size": 64}, "chunk_size", True),
        ({"search": "dense", "model": "given", "collapse": "sum"}, "collapse", True),
        ({"search": "dense", "model": None}, "model", False),
        ({"search": "dense", "coherence": True, "collapse": "mean"}, "collapse", False),
        ({"chunk_size": 10, "overlap": 10}, "overlap", False),
        ({"top_k": 200, "depth": 100}, "top_k", False),
    ],
)
def test_of_no_use_is_no_contradiction(given, setting, is_idle):
    found = [*idle(given), *conflicts(given, None), *unseen(given)]
    assert {one.idle for one in found if one.setting == setting} == {is_idle}


def test_a_dense_search_cannot_return_more_than_its_candidates():
    given = {"dense": "hnsw", "ef_search": 16}
    (found,) = conflicts({**given, "search": "dense"}, 20)
    assert (found.setting, found.idle) == ("ef_search", False)
    assert [*conflicts({**given, "search": "dense"}, 16)] == []
    assert [*conflicts(given, 20)] == []  # a hybrid search has those of its words, too


@pytest.mark.parametrize(
    "given",
    [
        {"model": "onnx:any"},
        {"model": "some/folder"},
        {"model": "sentence-transformers:any"},
        {"model": "static", "rerank": "cross-encoder:any"},
        {"search": "lexical", "rerank": "some/folder"},
    ],
)
def test_models_that_compute_on_another_device(given):
    assert [*idle({**given, "device": "cuda"})] == []


def test_given_vectors_are_one_chunk_for_each_document():
    assert not [*idle({"model": "given", "chunker": "whole", "search": "dense"})]
    chosen = configuration({"name": "a", "model": "given", "search": "dense"})
    assert (chosen.chunker, describe(chosen)["chunker"]) == ("whole", "whole")
    assert "chunk_size" not in describe(chosen)
    asked = GivenConfiguration("a", {"model": ["minilm", "given"], "chunk_size": [64, 128]})
    cells = [*cells_of(asked, home="", cutoff=None)]
    assert [one.settings.get("chunk_size") for one in cells] == [64, 128, None, None]


def test_the_tokens_of_a_query_that_is_embedded_for_a_system_have_a_price():
    system = HOSTED["system"] | {"model": "openai:any", "body": {"vector": "{vector}"}}
    assert [*idle({"system": system, "price": {"per_million_tokens": 0.02}})] == []


def test_given_vectors_may_have_a_price_by_tokens():
    given = {"search": "dense", "model": "given", "price": {"per_million_tokens": 0.02}}
    assert [*idle(given)] == []
