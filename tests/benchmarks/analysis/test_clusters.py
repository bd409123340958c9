import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.analysis.clusters import clusters


def test_clusters_come_hardest_first_with_their_terms_and_queries(scored_report):
    report = scored_report(
        {"a": {"q1": 1.0, "q2": 0.5, "q3": 0.0, "q4": 1.0}},
        {
            "q1": {"cluster": "async, await, task"},
            "q2": {"cluster": "async, await, task"},
            "q3": {"cluster": "日本"},
            "q4": {},
        },
    )
    assert clusters(report, seed=0) == [
        {
            "cluster": "日本",
            "terms": ["日本"],
            "queries": 1,
            "keys": ["q3"],
            "mean": 0.0,
            "ci": pytest.approx([0.0, 0.7935], abs=1e-4),  # Wilson: 0 of 1
            "best": "a",
            "scores": {"a": 0.0},
        },
        {
            "cluster": "async, await, task",
            "terms": ["async", "await", "task"],
            "queries": 2,
            "keys": ["q1", "q2"],
            "mean": 0.75,
            "ci": [0.5, 1.0],
            "best": "a",
            "scores": {"a": 0.75},
        },
    ]


def test_nothing_is_told_where_there_are_none(scored_report):
    assert clusters(scored_report({"a": {"q": 1.0}}, {"q": {"text": "t"}}), seed=0) == []
    assert clusters(scored_report({}, {"q": {"cluster": "x"}}), seed=0) == []


@given(st.lists(st.tuples(st.sampled_from(["x", "y, z"]), st.floats(0, 1)), min_size=1))
def test_counts_add_up_and_weighted_means_are_the_score(scored_report, asked):
    keys = [f"q{at}" for at in range(len(asked))]
    report = scored_report(
        {"a": {key: score for key, (_, score) in zip(keys, asked, strict=True)}},
        {key: {"cluster": name} for key, (name, _) in zip(keys, asked, strict=True)},
    )
    found = clusters(report, seed=0)
    assert sorted(key for one in found for key in one["keys"]) == sorted(keys)
    total = sum(one["queries"] * one["scores"]["a"] for one in found)
    assert total / len(asked) == pytest.approx(report.runs[0].scores["ndcg@10"])
