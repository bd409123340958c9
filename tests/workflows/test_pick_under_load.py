"""The pick of searches that give the same answers does not depend on how busy the machine is."""

import multiprocessing
import os
import re
from itertools import combinations

import pytest
import yaml

import assay

REPETITIONS = 20
WORDS = ["anchor", "basket", "candle", "dragon", "ember", "falcon", "garden", "hammer", "island"]
PAIRS = [*combinations(WORDS, 2)]  # 36 documents, each asked for in three ways
SEARCHES = [{"name": f"depth {n}", "search": "lexical", "depth": n} for n in (50, 100, 200)]


def spin():
    """Keep a core busy until it is stopped."""
    while True:
        sum(range(10_000))


@pytest.fixture
def load():
    """Work with more processes than there are cores, and stop each of them."""
    count = 2 * (os.cpu_count() or 1)
    workers = [multiprocessing.Process(target=spin, daemon=True) for _ in range(count)]
    for one in workers:
        one.start()
    yield
    for one in workers:
        one.kill()
        one.join(10)


@pytest.fixture
def given(tmp_path, no_clusters):
    (tmp_path / "docs").mkdir()
    queries = []
    for one, other in PAIRS:
        (tmp_path / "docs" / f"{one}-{other}.md").write_text(f"The {one} and the {other}. " * 40)
        texts = (f"{one} {other}", f"{other} {one}", f"the {one}, the {other}")
        queries += [{"query": text, "expected_files": [f"{one}-{other}.md"]} for text in texts]
    (tmp_path / "queries.yaml").write_text(yaml.safe_dump({"queries": queries}))
    return {
        "dataset": str(tmp_path / "queries.yaml"),
        "corpus": {"path": str(tmp_path / "docs")},
        "metrics": ["ndcg@10"],
        "baseline": "depth 100",
        "configurations": SEARCHES,
    }


def picks(given, place, repetitions):
    """Measure everything again each time; all answers are alike, and enough queries have a p95."""
    found = []
    for at in range(repetitions):
        report = assay.run(given, workspace=place / str(at), fresh=True)
        assert len({tuple(run.rankings.items()) for run in report.runs}) == 1
        assert report.runs[0].latency_ms["intervals"]["p95"][1] is not None
        pick = report.recommendations["pick"]
        found.append((pick["run"], pick["sure"]))
    return found


def test_the_baseline_is_picked_whatever_the_times(given, tmp_path):
    assert picks(given, tmp_path, 2) == [("depth 100", True)] * 2


@pytest.mark.long
def test_20_repetitions_under_load_have_one_pick(given, tmp_path, load):
    assert picks(given, tmp_path, REPETITIONS) == [("depth 100", True)] * REPETITIONS


def test_seconds_and_times_of_several_processes_decide_nothing(given, tmp_path):
    given["budgets"] = {"index_seconds": 1e-6, "latency_mean_ms": 1e-6, "index_bytes": 10**9}
    for parallel in (2, 1):  # the index of the first is used again: its seconds stay those of then
        report = assay.run(given, workspace=tmp_path / "place", parallel=parallel)
        states = [{name: one["state"] for name, one in run.budgets.items()} for run in report.runs]
        assert {one["index_seconds"] for one in states} == {"unknown"}
        assert {one["index_bytes"] for one in states} == {"kept"}
        assert all(run.indexing["busy"] for run in report.runs)
        if parallel > 1:
            assert {one["latency_mean_ms"] for one in states} == {"unknown"}
            told = report.recommendations
            assert told["fastest"] is told["best_balance"] is None
            assert told["pick"]["run"] == "depth 100"
            assert re.search("index_seconds .*busy", told["pick"]["reason"])
            assert told["pick_within_budgets"]["run"] is None
            assert not any(one.verdict.rule == "budget" for one in report.comparisons.candidates)
