import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.analysis.categories import categories

SCORES = st.floats(0, 1)


def test_categories_come_hardest_first_with_the_best_run_of_each(scored_report):
    report = scored_report(
        {
            "words": {"q1": 1.0, "q2": 0.5, "q3": 0.25},
            "meaning": {"q1": 0.5, "q2": 0.75, "q3": 0.0},
        },
        {"q1": {"category": "fruit"}, "q2": {"category": "fruit"}, "q3": {"category": "空"}},
    )
    assert categories(report, seed=0) == [
        {
            "category": "空",
            "queries": 1,
            "mean": 0.125,
            "ci": None,  # of one query
            "best": "words",
            "scores": {"words": 0.25, "meaning": 0.0},
        },
        {
            "category": "fruit",
            "queries": 2,
            "mean": 0.6875,
            "ci": [0.625, 0.75],
            "best": "words",
            "scores": {"words": 0.75, "meaning": 0.625},
        },
    ]


def test_queries_without_a_category_are_one_of_their_own(scored_report):
    report = scored_report({"a": {"q1": 1.0, "q2": 0.0}}, {"q1": {"category": "x"}, "q2": {}})
    assert [one["category"] for one in categories(report, seed=0)] == ["uncategorised", "x"]


def test_nothing_is_told_where_no_query_has_a_category_or_nothing_was_scored(scored_report):
    assert categories(scored_report({"a": {"q": 1.0}}, {"q": {"text": "t"}}), seed=0) == []
    assert categories(scored_report({"a": {"q": 1.0}}), seed=0) == []
    assert categories(scored_report({}, {"q": {"category": "x"}}), seed=0) == []
    assert categories(scored_report({"a": {}}, {"q": {"category": "x"}}), seed=0) == []


@pytest.mark.parametrize("status", ["failed", "beaten", "cancelled"])
def test_a_run_that_was_not_measured_to_its_end_is_left_out(scored_report, status):
    report = scored_report(
        {"whole": {"q1": 1.0, "q2": 0.0}, "part": {"q1": 1.0}},
        {"q1": {"category": "x"}, "q2": {"category": "x"}},
        changes={"part": {"status": status}},
    )
    (found,) = categories(report, seed=0)
    assert (found["queries"], found["scores"]) == (2, {"whole": 0.5})


@given(
    st.dictionaries(
        st.text(max_size=5), st.tuples(st.sampled_from(["", "x", "y", "ž"]), SCORES, SCORES)
    )
)
def test_counts_add_up_and_weighted_means_are_the_scores(scored_report, asked):
    report = scored_report(
        {
            "one": {query: one for query, (_, one, _) in asked.items()},
            "two": {query: two for query, (_, _, two) in asked.items()},
        },
        {query: {"category": name} for query, (name, _, _) in asked.items()},
    )
    found = categories(report, seed=0)
    assert [one["mean"] for one in found] == sorted(one["mean"] for one in found)
    if any(name for name, _, _ in asked.values()):
        assert sum(one["queries"] for one in found) == len(asked)
        for run in report.runs:
            total = sum(one["queries"] * one["scores"][run.name] for one in found)
            assert total / len(asked) == pytest.approx(run.scores["ndcg@10"])
    else:
        assert found == []
