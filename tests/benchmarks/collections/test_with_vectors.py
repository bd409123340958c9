"""Which searches may ignore the vectors that a dataset brings, and which may not."""

import json
from dataclasses import replace

import numpy as np
import pytest

from assay.benchmarks.collections.open_collections import open_collections, with_truth
from assay.benchmarks.collections.with_vectors import with_vectors
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.plan.plan import plan
from assay.benchmarks.work.job import BenchmarkJob, identity_of
from assay.errors import InputError, ProblemsError
from assay.records.run_settings import Invocation, RunSettings
from assay.workflows.make import make

WORDS = {"name": "words", "search": "lexical"}
MINILM = {"name": "minilm", "search": "dense", "model": "minilm"}
GIVEN = {"name": "given", "search": "dense", "model": "given"}


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make("clusters", "made", documents=20, clusters=4, queries=4, dimensions=4)
    return tmp_path / "made"


def opened(*configurations, **more):
    benchmark = read_benchmark({"dataset": "made", **more, "configurations": [*configurations]})
    return with_vectors(benchmark, open_collections(benchmark))


def real(made):
    """Say that the texts of the dataset mean something, as those of most datasets do."""
    value = json.loads((made / "dataset.json").read_text())
    for key in ("texts", "family"):
        del value["metadata"][key]
    (made / "dataset.json").write_text(json.dumps(value))


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    "configuration",
    [
        WORDS,
        MINILM,
        {"name": "hybrid", "model": "given"},
        {"name": "store", "search": "dense", "model": "minilm", "system": {"kind": "lancedb"}},
    ],
)
def test_texts_that_are_placeholders_are_never_searched(configuration):
    with pytest.raises(InputError, match="placeholders") as caught:
        opened(GIVEN, configuration)
    assert f'"{configuration["name"]}"' in caught.value.problem
    assert '"given"' not in caught.value.problem
    assert "model: given" in caught.value.hint


@pytest.mark.usefixtures("made")
def test_no_model_is_shown_placeholders():
    benchmark = read_benchmark({"dataset": "made", "configurations": [GIVEN]})
    reranked = replace(benchmark.configurations[0], rerank="cross-encoder:model")
    with pytest.raises(InputError, match="placeholders"):
        with_vectors(replace(benchmark, configurations=(reranked,)), open_collections(benchmark))


def test_what_an_earlier_version_made_has_placeholders_too(made):
    value = json.loads((made / "dataset.json").read_text())
    assert value["metadata"].pop("texts") == "placeholders"
    (made / "dataset.json").write_text(json.dumps(value))
    with pytest.raises(InputError, match="placeholders"):
        opened(WORDS)


@pytest.mark.usefixtures("made")
def test_a_run_file_may_answer_what_has_placeholders():
    (found,) = opened(GIVEN, {"name": "runs", "system": {"kind": "run_file", "path": "x.trec"}})
    assert found.vectors.documents.dimension == 4


def test_beside_real_texts_any_search_may_be_compared(made):
    real(made)
    (found,) = opened(WORDS, MINILM, GIVEN)
    assert (len(found.vectors.documents), len(found.vectors.queries)) == (20, 4)
    about = with_truth([found]).about
    assert about["corpus"]["vectors"]["dimension"] == 4
    assert about["dataset"]["vectors"]["count"] == 4


def test_vectors_that_nobody_asks_for_are_a_note(made):
    real(made)
    (found,) = opened(WORDS, MINILM)
    assert found.vectors is None
    assert "document_vectors.npy and query_vectors.npy are not used" in found.dataset.notes[-1]
    for name in ("document_vectors.npy", "query_vectors.npy"):
        (made / name).unlink()
    assert opened(WORDS)[0].dataset.notes == ()


def test_vectors_that_the_file_names_must_have_an_effect(made):
    real(made)
    named = {"dataset": {"path": "made", "vectors": "made/query_vectors.npy"}}
    named |= {"corpus": {"path": "made", "vectors": "made/document_vectors.npy"}}
    assert opened(WORDS, GIVEN, **named)[0].vectors
    with pytest.raises(ProblemsError, match="no configuration has model: given") as caught:
        opened(WORDS, MINILM, **named)
    places = [one.where.rpartition(", ")[2] for one in caught.value.problems]
    assert places == ["corpus.vectors", "dataset.vectors"]
    suites = {"suites": {"words": [WORDS], "given": [GIVEN]}}
    for suite in ("words", "given"):
        assert read_benchmark(named | suites, suite=suite).configurations[0].name == suite


@pytest.mark.parametrize(
    ("gone", "said"), [("document_vectors", "its documents"), ("query_vectors", "its queries")]
)
def test_given_vectors_must_be_there(made, gone, said):
    (made / f"{gone}.npy").unlink()
    with pytest.raises(InputError, match=said) as caught:
        opened(GIVEN)
    assert gone in caught.value.hint


def test_what_is_wrong_is_said_before_anything_runs(made, tmp_path):
    np.save(made / "query_vectors.npy", np.ones((4, 3), np.float32))
    asked = read_benchmark({"dataset": "made", "configurations": [GIVEN]})
    with pytest.raises(InputError, match="3 dimensions"):
        plan(asked, RunSettings(), Invocation(), workspace=tmp_path / "w")
    np.save(made / "query_vectors.npy", np.ones((3, 4), np.float32))
    with pytest.raises(InputError, match="3 vectors without ids, but 4 queries"):
        plan(asked, RunSettings(), Invocation(), workspace=tmp_path / "w")
    assert not (tmp_path / "w").exists()


def test_other_vectors_are_another_benchmark(made, tmp_path):
    benchmark = read_benchmark({"dataset": "made", "configurations": [GIVEN]})
    before = opened(GIVEN)
    job = BenchmarkJob.of(benchmark, RunSettings(), before, tmp_path)
    assert BenchmarkJob.from_json(json.loads(json.dumps(job.as_json()))).vectors == job.vectors
    job.refuse_changed(before)
    np.save(made / "query_vectors.npy", -np.load(made / "query_vectors.npy"))
    after = opened(GIVEN)
    with pytest.raises(InputError, match="vectors changed since"):
        job.refuse_changed(after)
    names = [identity_of(benchmark, one, RunSettings()) for one in (before, after)]
    assert names[0] != names[1]


@pytest.mark.usefixtures("made")
def test_a_plan_embeds_nothing(tmp_path):
    asked = read_benchmark({"dataset": "made", "configurations": [GIVEN]})
    planned = plan(asked, RunSettings(), Invocation(), workspace=tmp_path / "w")
    (index,) = planned.indexes
    assert (index.model, index.embedding.value) == ("given", 0.0)
    assert next(one for one in planned.stages if one.name == "embed").milliseconds.value == 0.0


@pytest.mark.usefixtures("made")
def test_a_store_that_is_too_narrow_is_refused(made):
    wide = np.ones((20, 5_000), np.float32)
    np.save(made / "document_vectors.npy", wide)
    np.save(made / "query_vectors.npy", wide[:4])
    store = {"kind": "pgvector", "url": "postgresql://127.0.0.1:1/none", "index": "hnsw"}
    with pytest.raises(InputError, match="5,000 dimensions"):
        opened({**GIVEN, "system": store})
