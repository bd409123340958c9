"""What Assay writes in the layouts of others is read back with the same figures."""

import json
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.records.costs import COSTS, cost_of
from assay.reports.ancestors.akashic import akashic
from assay.reports.ancestors.consciousdb import consciousdb
from assay.reports.ancestors.exocortex import exocortex
from assay.reports.ancestors.read.read_ancestor import read_ancestor
from assay.reports.ancestors.sia_code import sia_code

DATE = "2026-01-30T12:00:00"
WRITERS = (akashic, consciousdb, exocortex, sia_code)
METRICS = ("mrr@10", "recall@5", "recall@10", "ndcg@10")
PARTS = ("scores", "intervals", "latency_ms", "indexing", "storage", "per_query", "categories")
NOTHING = {part: {} for part in PARTS}


def again(report, write, **options):
    """Write a report and read it back."""
    text = json.dumps(write(report, date=DATE, **options), allow_nan=False)
    return read_ancestor(json.loads(text), where="x.json")


def test_akashic(made):
    ours = made.report(made.run())
    (run,) = again(ours, akashic).runs
    told = ours.runs[0]
    assert run.name == told.name
    assert run.scores == told.scores
    assert run.per_query == told.per_query
    assert run.latency_ms["mean"] == told.latency_ms["mean"]
    assert run.latency_ms["queries"] == told.latency_ms["queries"]
    assert run.configuration == {"chunk_size": "256", "model": "minilm", "rerank": "maxsim"}


def test_exocortex_has_every_cost(made):
    ours = made.report(made.run())
    report = again(ours, exocortex)
    (run,) = report.runs
    for name in COSTS:
        expected = cost_of(ours.runs[0], name)
        assert cost_of(run, name) == (None if expected is None else pytest.approx(expected))
    assert run.indexing["peak_memory_mb"] == pytest.approx(2.097152)
    assert run.scores == {m: s for m, s in ours.runs[0].scores.items() if m != "recall@5"}
    assert report.environment == {
        **{"platform": "Linux-6", "python": "3.11.7"},
        **{"cores": 2, "memory_mb": 16384},
    }


def test_sia_code(made):
    parts = {"a": {"queries": 1, "recall@5": 1.0, "index_bytes": 10, "seconds": 1.5, "files": 2}}
    parts["b"] = {"queries": 1, "recall@5": 0.0, "index_bytes": 20, "seconds": 2.5, "files": 3}
    rows = {"q1": {"recall@5": 1.0, "mrr@10": 1.0}, "q2": {"recall@5": 0.0, "mrr@10": 0.125}}
    queries = {"q1": {"collection": "a"}, "q2": {"collection": "b"}}
    run = made.run(per_query=rows, collections=parts, failed={"q2": "no answer"})
    ours = made.report(run, queries=queries)
    report = again(ours, sia_code)
    (found,) = report.runs
    assert found.scores == {"recall@5": 0.5, "mrr@5": 0.5}  # rank 8 is below the first five
    assert found.per_query == {
        "q1": {"recall@5": 1.0, "mrr@5": 1.0},
        "q2": {"recall@5": 0.0, "mrr@5": 0.0},
    }
    assert found.failed == {"q2": "no answer"}
    assert found.storage == {"index_bytes": 30}
    assert found.indexing == {"seconds": 4.0, "files": 5}
    assert report.queries == queries


def test_consciousdb(made):
    ours = made.report(made.run(structure=made.structure()))
    report = again(ours, consciousdb)
    (run,) = report.runs
    told, found = ours.runs[0].structure, run.structure
    assert run.name == "hybrid"
    assert run.latency_ms == {"p50": 5.0, "p95": 8.0}
    assert found.rates == told.rates
    assert found.returned == told.returned
    assert found.distributions["delta_h"] == told.distributions["delta_h"]
    assert found.suggested_alpha == told.suggested_alpha
    for name in ("coherence", "coherence_mmr", "neighbour_average"):
        assert found.method(name).scores == told.method(name).scores
        for metric, expected in told.method(name).uplift.items():
            uplift = found.method(name).uplift[metric]
            assert uplift.relative == pytest.approx(expected.relative)
            assert uplift.interval == expected.interval
            assert uplift.queries == expected.queries


def test_consciousdb_with_several_runs_of_either_kind(made):
    runs = [made.run(name, structure=made.structure()) for name in ("near", "far")]
    report = again(made.report(*runs, made.run("words", configuration={})), consciousdb)
    assert [(run.name, run.structure is None) for run in report.runs] == [
        ("near", False),
        ("words", True),
        ("far", False),
    ]


def test_consciousdb_without_structure_has_each_run_by_its_name(made):
    """A reranker stands around the name there."""
    report = again(made.report(made.run("words"), made.run("near", configuration={})), consciousdb)
    assert [run.name for run in report.runs] == ["words", "near"]
    assert report.benchmark["baseline"] == "words"
    assert report.runs[0].scores == {"ndcg@10": 0.625, "mrr@10": 0.75}


def test_what_diversifying_returns_is_known_from_scores_and_times(made):
    structure = replace(made.structure(), returned="coherence_mmr")
    ours = made.report(made.run(structure=structure))
    (run,) = again(ours, consciousdb).runs
    assert run.structure.returned == "coherence_mmr"
    assert run.scores["ndcg@10"] == 0.45


@pytest.mark.parametrize("write", WRITERS)
def test_several_runs_stay_several(made, write):
    told = [made.run(name, configuration={}) for name in ("a", "b")]
    assert [run.name for run in again(made.report(*told), write).runs] == ["a", "b"]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("several", [False, True])
def test_a_run_that_failed_stays_failed(made, write, several):
    """It would be one without figures, which no check can fail."""
    lost = made.run("lost", status="failed", error="no model", **NOTHING)
    others = [made.run("right")] * several
    runs = {run.name: run for run in again(made.report(*others, lost), write).runs}
    if write is consciousdb and several:
        return  # its table leaves failed runs out, and a gate says that the run is gone
    assert runs["lost"].status == "failed"
    assert runs["lost"].error == "no model"


@pytest.mark.parametrize("write", [akashic, exocortex, sia_code])
def test_a_run_that_a_race_stopped_stays_stopped(made, write):
    (run,) = again(made.report(made.run(status="beaten")), write).runs
    assert run.status == "beaten"


@given(data=st.data(), share=st.floats(0, 1))
def test_whatever_the_scores_are(made_by, data, share):
    rows = {
        f"q{at}": {metric: data.draw(st.floats(0, 1)) for metric in METRICS}
        for at in range(data.draw(st.integers(1, 4)))
    }
    means = {metric: sum(row[metric] for row in rows.values()) / len(rows) for metric in METRICS}
    assume(all(mean <= 1 for mean in means.values()))
    run = made_by.run(scores=means, per_query=rows, latency_ms={"p95": 100 * share})
    (found,) = again(made_by.report(run), akashic).runs
    assert found.scores == means
    assert found.per_query == rows
    (found,) = again(made_by.report(run), exocortex).runs
    assert found.scores == {metric: means[metric] for metric in METRICS if metric != "recall@5"}
    assert found.latency_ms == {"p95": 100 * share}
