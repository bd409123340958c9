"""The problems of a benchmark file: each once, and no more than a person can read."""

import difflib

import pytest

from assay.benchmarks.file.problems import BenchmarkProblems
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import ProblemsError
from assay.searches.configuration.configuration import wrong_values

BM25 = {"name": "bm25", "search": "lexical"}


@pytest.fixture
def compared(monkeypatch):
    """Count the names that are compared with the known ones."""
    calls, plain = [], difflib.get_close_matches

    def counted(name, *given, **options):
        calls.append(name)
        return plain(name, *given, **options)

    monkeypatch.setattr(difflib, "get_close_matches", counted)
    return calls


def test_a_problem_is_noted_once():
    found = BenchmarkProblems("f.yaml")
    for _ in range(3):
        found.add(["metrics", 0], "unknown metric", "")
    found.add(["metrics", 1], "unknown metric", "")
    with pytest.raises(ProblemsError) as caught:
        found.refuse()
    assert [one.where for one in caught.value.problems] == [
        "f.yaml, metrics[0]",
        "f.yaml, metrics[1]",
    ]
    assert caught.value.then == ""


@pytest.mark.parametrize(
    "given",
    [
        {"metrics": [f"ndcgx{at}" for at in range(5_000)], "configurations": [BM25]},
        {"configurations": [BM25 | {f"chunk{at}": 1 for at in range(5_000)}]},
        {"configurations": [{"name": f"c{at}", "dept": 1, "k": 1} for at in range(1_000)]},
        {"configurations": [BM25], **{f"metric{at}": 1 for at in range(5_000)}},
        {"configurations": [BM25], "budgets": {f"latency{at}": 1 for at in range(5_000)}},
    ],
)
def test_reading_stops_after_a_thousand_problems(given, compared):
    with pytest.raises(ProblemsError) as caught:
        read_benchmark({"dataset": "stdlib", **given})
    assert caught.value.count == 1_000
    assert "there may be more problems: reading stopped after 1,000" in str(caught.value)
    assert len(compared) <= 3_000  # with a setting, a metric and a cost at most


def test_the_matrix_of_all_configurations_is_checked_once(compared):
    configurations = [{"name": f"c{at}"} for at in range(200)]
    matrix = {"coherence": [{f"alpa{at}": 1 for at in range(50)}]}
    with pytest.raises(ProblemsError) as caught:
        read_benchmark({"dataset": "stdlib", "configurations": configurations, "matrix": matrix})
    assert len(caught.value.problems) == len(compared) == 50


def test_the_settings_of_a_configuration_are_compared_a_thousand_times_at_most(compared):
    unknown = {f"chunk{at}": 1 for at in range(5_000)}
    assert len(wrong_values(unknown)) == 1_000
    assert len(wrong_values({"mmr": unknown})) == 1_000
    assert len(compared) == 2_000
