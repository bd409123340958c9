"""Stores that we fill: the same chunks and vectors, searched by somebody else."""

from contextlib import closing

import numpy as np
import pytest

from assay.corpora.sources.inline import inline
from assay.errors import InputError
from assay.records import Document, Query
from assay.searches.build import build
from assay.searches.configuration.configuration import configuration
from assay.searches.open_models import OpenModels
from assay.workspace.locate import model_folder

WORDS = [
    "apple",
    "pear",
    "plum",
    "fig",
    "melon",
    "grape",
    "lemon",
    "lime",
    "mango",
    "peach",
    "berry",
    "quince",
]
QUERIES = [Query(str(at), text) for at, text in enumerate(["apple pear", "lemon", "fig tree", ""])]
STORES = ["pgvector", "qdrant", "lancedb"]


def models():
    return OpenModels(model_folder())


def text_of(seed):
    picked = np.random.default_rng(seed).choice(WORDS, size=30)
    return " ".join(picked)


@pytest.fixture(scope="module")
def corpus():
    return inline([Document(id=f"d{at}", path=f"d{at}.md", text=text_of(at)) for at in range(40)])


@pytest.fixture
def built(tmp_path, corpus):
    opened = []

    def make(**settings):
        chosen = configuration({"model": "static", "search": "dense", **settings})
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(build(corpus, chosen, folder=folder, models=models()))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.mark.parametrize("kind", STORES)
def test_a_store_ranks_as_the_exact_index_does(built, kind):
    own = built(precision="float32")
    other = built(system={"kind": kind})
    for query in QUERIES:
        names, scores, _ = own.found(query)
        others, rest, took = other.found(query)
        assert list(names) == list(others)
        assert scores == pytest.approx(rest, abs=1e-12)
        assert "dense" in took
    assert other.storage["index_bytes"] > 0
    assert other.indexing["filling_seconds"] > 0
    assert own.fingerprint != other.fingerprint


@pytest.mark.parametrize("kind", ["pgvector", "lancedb"])
def test_words_and_vectors_of_a_store_are_fused(built, kind):
    other = built(search="hybrid", system={"kind": kind})
    names, scores, took = other.found(QUERIES[0])
    assert len(names) == len(set(names)) == 40
    assert {"lexical", "dense", "fuse", "collapse"} <= set(took)
    assert (np.diff(scores) <= 0).all()
    assert set(text_of(int(names[0][1:])).split()) & {"apple", "pear"}


def test_structure_ranks_what_a_store_found(built):
    own = built(precision="float32", coherence={"gap_margin": 2})
    other = built(system={"kind": "pgvector"}, coherence={"gap_margin": 2})
    assert own.found(QUERIES[0])[0] == other.found(QUERIES[0])[0]
    assert own.studied(QUERIES[0]).orders == other.studied(QUERIES[0]).orders


def test_what_an_approximate_store_misses_is_measured(built):
    other = built(system={"kind": "pgvector", "index": "hnsw"})
    for query in QUERIES:
        other.found(query)
    recall = other.indexing["dense_recall"]
    assert recall["k"] == 10
    assert 0 < recall["worst"] <= recall["mean"] <= 1
    assert any("recall@10" in note for note in other.notes)


class Broken:
    """No store: it cannot be filled."""

    closed, notes = False, ()

    def open(self):
        self.opened = True

    def fill(self, chunks, **options):
        for _ in chunks:
            raise InputError("the disk is full", where="store", hint="make room")

    def close(self):
        self.closed = True
        raise InputError("the table stays", where="store", hint="remove it")


def test_a_store_that_cannot_be_filled_is_closed(corpus, tmp_path, monkeypatch):
    broken = Broken()
    monkeypatch.setattr("assay.searches.build.open_store_of", lambda *_, **__: broken)
    chosen = configuration({"search": "lexical", "system": {"kind": "pgvector"}})
    with pytest.raises(InputError, match="disk is full"):
        build(corpus, chosen, folder=tmp_path, models=models())
    assert broken.closed


def test_an_empty_corpus_is_no_problem(tmp_path):
    for kind in STORES:
        chosen = configuration({"model": "static", "search": "dense", "system": {"kind": kind}})
        folder = tmp_path / kind
        folder.mkdir()
        with closing(build(inline([]), chosen, folder=folder, models=models())) as one:
            assert one.found(QUERIES[0])[0] == []


def test_the_index_is_closed_though_a_store_cannot_be(corpus, tmp_path, monkeypatch):
    chosen = configuration({"search": "lexical", "system": {"kind": "lancedb"}})
    built = build(corpus, chosen, folder=tmp_path, models=models())
    closed = []
    refuse = Broken().close
    monkeypatch.setattr(type(built.searcher._stages.store), "close", lambda _: refuse())
    monkeypatch.setattr(built.searcher._snapshot, "close", lambda: closed.append(True))
    with pytest.raises(InputError, match="the table stays"):
        built.close()
    assert closed
    monkeypatch.undo()
    built.close()
