"""What is built of vectors is kept by the settings of its building; searches share it."""

from contextlib import closing
from importlib import import_module

import pytest

from assay.corpora.sources.inline import inline
from assay.records import Document
from assay.searches.configuration.configuration import effective
from assay.searches.make_index import make_index, open_index
from assay.searches.open_models import OpenModels

hnsw = import_module("assay.engines.dense.hnsw")
GRAPH = {"search": "dense", "model": "static", "dense": "hnsw", "m": 4}


@pytest.fixture
def made(tmp_path, cache):
    embedder = OpenModels(cache).embedder(effective(GRAPH))
    corpus = inline([Document(f"d{at}", f"note {at} of {at * 7 % 50}") for at in range(300)])
    store, _ = make_index(corpus, effective(GRAPH), folder=tmp_path / "index", embedder=embedder)
    return store, embedder.dimension


def test_a_graph_is_built_once_for_each_of_its_settings(made, monkeypatch):
    store, dimension = made
    built, build = [], hnsw._build
    monkeypatch.setattr(hnsw, "_build", lambda *given: built.append(given[1]) or build(*given))
    wanted = [{"m": m, "ef_search": ef} for m in (4, 8, 4) for ef in (10, 20)]
    for _ in range(2):
        with closing(open_index(store)) as opened:
            indexes = [opened.dense(effective(GRAPH | one), dimension=dimension) for one in wanted]
            assert [one.facts(200)["ef_search"] for one in indexes] == [10, 20] * 3
            assert [one.facts(200)["m"] for one in indexes] == [4, 4, 8, 8, 4, 4]
            assert indexes[0].near is indexes[1].near is indexes[4].near
            names = sorted(path.name for path in opened.snapshot.derived.iterdir())
    assert names == [f"dense-hnsw-int8-m{m}-ef_construction100.bin" for m in (4, 8)]
    assert built == [8]  # the other came with the index, and both were read the second time


def test_a_graph_with_its_usual_effort_does_not_get_that_of_another(made):
    store, dimension = made
    with closing(open_index(store)) as opened:
        opened.dense(effective(GRAPH | {"ef_search": 10}), dimension=dimension)
        usual = opened.dense(effective(GRAPH), dimension=dimension)
        assert (usual.given_effort, usual.facts(200)["ef_search"]) == (None, 258)
