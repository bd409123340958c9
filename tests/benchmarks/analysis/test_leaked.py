import pytest

from assay.benchmarks.analysis.leaked import leaked


def test_every_score_stands_with_and_without_leaked_queries(scored_report):
    report = scored_report(
        {"words": {"q1": 1.0, "q2": 0.5, "q3": 0.0}, "meaning": {"q1": 0.1, "q2": 0.6, "q3": 0.3}},
        {"q1": {"leaked": True}, "q2": {}, "q3": {}},
    )
    found = leaked(report, seed=0)
    assert (found["queries"], found["share"]) == (1, pytest.approx(1 / 3))
    assert found["runs"]["words"] == {"ndcg@10": {"with": 0.5, "without": 0.25}}
    assert found["runs"]["meaning"]["ndcg@10"]["without"] == pytest.approx(0.45)
    assert found["changes_winner"] is True  # words is best only by the query it was given


def test_the_winner_stays_where_it_is_best_without_them_or_none_is_left(scored_report):
    runs = {"a": {"q1": 1.0, "q2": 1.0}, "b": {"q1": 0.0, "q2": 0.5}}
    assert leaked(scored_report(runs, {"q1": {"leaked": True}}), seed=0)["changes_winner"] is False
    every = scored_report(runs, {"q1": {"leaked": True}, "q2": {"leaked": True}})
    found = leaked(every, seed=0)
    assert found["share"] == 1
    assert found["runs"]["a"] == {"ndcg@10": {"with": 1.0, "without": None}}
    assert found["changes_winner"] is False


def test_an_equal_winner_stays_one(scored_report):
    runs = {"a": {"q1": 1.0, "q2": 0.0}, "b": {"q1": 0.0, "q2": 1.0}}
    found = leaked(scored_report(runs, {"q1": {"leaked": True}}), seed=0)
    assert found["changes_winner"] is False  # b was as good before, and still is the best


def test_of_several_collections_each_counts_the_same(scored_report):
    report = scored_report(
        {"a": {"x/1": 1.0, "x/2": 0.0, "x/3": 0.5, "y/1": 1.0}},
        {
            "x/1": {"collection": "x", "leaked": True},
            "x/2": {"collection": "x"},
            "x/3": {"collection": "x"},
            "y/1": {"collection": "y"},
        },
        changes={"a": {"collections": {"x": {}, "y": {}}}},
    )
    assert leaked(report, seed=0)["runs"]["a"]["ndcg@10"]["without"] == 0.625  # of 0.25 and 1


def test_what_a_run_says_itself_is_taken(scored_report):
    changes = {"a": {"scores_unleaked": {"ndcg@10": 0.125}}}
    report = scored_report({"a": {"q1": 1.0, "q2": 0.0}}, {"q1": {"leaked": True}}, changes=changes)
    assert leaked(report, seed=0)["runs"]["a"]["ndcg@10"]["without"] == 0.125


def test_an_older_report_has_its_leaked_queries_in_its_truth(scored_report):
    truth = {"leaked": 1, "leaked_queries": ["q1"]}
    report = scored_report({"a": {"q1": 1.0, "q2": 0.0}}, {"q1": {}, "q2": {}}, truth=truth)
    assert leaked(report, seed=0)["runs"]["a"]["ndcg@10"] == {"with": 0.5, "without": 0.0}


def test_nothing_is_told_where_no_judged_query_is_leaked(scored_report):
    assert leaked(scored_report({"a": {"q": 1.0}}, {"q": {}}), seed=0) == {}
    unjudged = scored_report({"a": {"q": 1.0}}, {"q": {}, "other": {"leaked": True}})
    assert leaked(unjudged, seed=0) == {}
    assert leaked(scored_report({}, {"q": {"leaked": True}}), seed=0) == {}
