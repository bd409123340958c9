from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.analysis.differences import differences


def test_each_query_is_better_the_same_or_worse(scored_report):
    report = scored_report(
        {
            "words": {"q1": 0.5, "q2": 0.5, "q3": 0.5, "本": 0.5, "q5": 0.5},
            "meaning": {"q1": 1.0, "q2": 0.75, "q3": 0.5, "本": 0.0, "q5": 0.25},
        },
        baseline="words",
        changes={"meaning": {"failed": {"本": "timed out", "unjudged": "timed out"}}},
    )
    assert differences(report, seed=0) == {
        "meaning": {
            "baseline": "words",
            "improved": 2,
            "same": 1,
            "regressed": 2,
            "failed": 1,
            "largest_gain": {"query": "q1", "difference": 0.5},
            "largest_loss": {"query": "本", "difference": -0.5},
        }
    }


def test_a_run_that_answers_alike_has_no_largest_change(scored_report):
    report = scored_report({"a": {"q": 0.5}, "b": {"q": 0.5}}, baseline="a")
    found = differences(report, seed=0)["b"]
    assert (found["same"], found["largest_gain"], found["largest_loss"]) == (1, None, None)


def test_the_baseline_may_be_named_by_an_alias(scored_report):
    report = scored_report(
        {"a": {"q": 0.5}, "b": {"q": 1.0}}, baseline="old", changes={"a": {"aliases": ("old",)}}
    )
    assert differences(report, seed=0)["b"]["baseline"] == "a"


def test_a_query_that_one_run_has_no_score_of_is_left_out(scored_report):
    report = scored_report({"a": {"q1": 0.5, "q2": 0.5}, "b": {"q1": 1.0}}, baseline="a")
    found = differences(report, seed=0)["b"]
    assert (found["improved"], found["same"], found["regressed"]) == (1, 0, 0)


def test_nothing_is_told_without_a_baseline_that_was_scored_or_of_one_run(scored_report):
    two = {"a": {"q": 0.5}, "b": {"q": 1.0}}
    assert differences(scored_report(two), seed=0) == {}
    failed = scored_report(two, baseline="a", changes={"a": {"status": "failed"}})
    assert differences(failed, seed=0) == {}
    assert differences(scored_report({"a": {"q": 0.5}}, baseline="a"), seed=0) == {}
    beaten = scored_report(two, baseline="a", changes={"b": {"status": "beaten"}})
    assert differences(beaten, seed=0) == {}


@given(st.dictionaries(st.text(max_size=3), st.tuples(st.floats(0, 1), st.floats(0, 1))))
def test_counts_add_up_to_the_queries(scored_report, asked):
    report = scored_report(
        {
            "a": {query: before for query, (before, _) in asked.items()},
            "b": {query: after for query, (_, after) in asked.items()},
        },
        baseline="a",
    )
    found = differences(report, seed=0)
    if asked:
        one = found["b"]
        assert one["improved"] + one["same"] + one["regressed"] == len(asked)
        assert (one["largest_gain"] is None) == (one["improved"] == 0)
        assert (one["largest_loss"] is None) == (one["regressed"] == 0)
