"""The presets beside the documents whose targets they are."""

import pytest
from tests.benchmarks.gates.made import report, run

from assay.benchmarks.gates.presets import GateChecks, read_preset
from assay.errors import InputError


def checks(preset, *, model="minilm", documents=500):
    one = report(run(scores=[1.0], configuration={"model": model}), corpus={"documents": documents})
    asked = GateChecks.read(preset=preset).of(one, one.runs[0])
    return {(c.figure, c.kind): c.amount for c in asked}


def test_targets():
    assert checks("targets") == {
        ("mrr@10", "min"): 0.6,
        ("recall@10", "min"): 0.7,
        ("ndcg@10", "min"): 0.65,
        ("latency_p50_ms", "max"): 50,
        ("latency_p95_ms", "max"): 100,
        ("latency_p99_ms", "max"): 200,
        ("files_per_second", "min"): 10,
        ("peak_memory_mb", "max"): 2000,
        ("bytes_per_document", "max"): 10_000,
        ("index_bytes", "max"): 100e6,
    }


@pytest.mark.parametrize(("model", "least"), [("ollama:x", 10), ("openai:x", 20), ("static", 10)])
def test_a_model_behind_an_api_indexes_faster(model, least):
    assert checks("targets", model=model)["files_per_second", "min"] == least


@pytest.mark.parametrize(("documents", "most"), [(0, 100e6), (10_000, 100e6), (30_000, 300e6)])
def test_the_index_may_grow_with_the_documents(documents, most):
    assert checks("targets", documents=documents)["index_bytes", "max"] == pytest.approx(most)


def test_regression_and_uplift():
    regression = [("mrr@10", "allow"), ("recall@10", "allow"), ("latency_p95_ms", "allow")]
    assert checks("regression") == dict.fromkeys(regression, 0.05)
    assert checks("regression=3%") == dict.fromkeys(regression, pytest.approx(0.03))
    uplift = {("uplift", "min"): pytest.approx(0.1), ("latency_p95_ms", "allow"): 0.25}
    assert checks("uplift=10%") == uplift


def test_what_is_given_goes_before_a_preset():
    one = report(run(scores=[1.0]))
    asked = GateChecks.read(allow="mrr@10:1%", preset="regression").of(one, one.runs[0])
    assert [c.amount for c in asked if c.figure == "mrr@10"] == [pytest.approx(0.01)]


@pytest.mark.parametrize("text", ["target", "targets=5%", "uplift=", "uplift=nan", "uplift=150%"])
def test_a_wrong_preset_is_refused(text):
    with pytest.raises(InputError):
        read_preset(text)


def test_budgets_of_the_benchmark_as_limits():
    budgets = {"ndcg@10": 0.6, "index_bytes": 1000, "files_per_second": 10}
    one = report(run(scores=[0.5] * 10), benchmark={"budgets": budgets})
    found = GateChecks.read(preset="budgets").of(one, one.runs[0])
    told = [(check.figure, check.kind, check.amount) for check in found]
    assert told == [
        ("ndcg@10", "min", 0.6),
        ("index_bytes", "max", 1000.0),
        ("files_per_second", "min", 10.0),
    ]
