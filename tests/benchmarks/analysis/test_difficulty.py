from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.analysis.difficulty import difficulty
from assay.benchmarks.queries.predicted_difficulty import predictor


def levels(found):
    return [(one["level"], one["queries"]) for one in found]


def test_queries_are_cut_into_thirds_by_their_mean_over_the_runs(scored_report):
    report = scored_report(
        {
            "words": {"q1": 1.0, "q2": 0.5, "q3": 0.0, "q4": 0.25, "q5": 1.0, "q6": 0.5},
            "meaning": {"q1": 0.5, "q2": 0.5, "q3": 0.0, "q4": 0.0, "q5": 1.0, "q6": 0.75},
        }
    )
    found = difficulty(report, seed=0)
    assert found["measured"] == [
        {
            "level": "easy",
            "queries": 2,
            "scores": {"words": 1.0, "meaning": 0.75},
            "from": 0.75,
            "to": 1.0,
        },
        {
            "level": "medium",
            "queries": 2,
            "scores": {"words": 0.5, "meaning": 0.625},
            "from": 0.5,
            "to": 0.625,
        },
        {
            "level": "hard",
            "queries": 2,
            "scores": {"words": 0.125, "meaning": 0.0},
            "from": 0.0,
            "to": 0.125,
        },
    ]
    assert (found["given"], found["predicted"]) == ([], {})


def test_equal_queries_are_never_parted(scored_report):
    hits = dict.fromkeys("abcdefgh", 1.0) | dict.fromkeys("ij", 0.0)
    assert levels(difficulty(scored_report({"r": hits}), seed=0)["measured"]) == [
        ("easy", 8),
        ("hard", 2),
    ]
    same = difficulty(scored_report({"r": dict.fromkeys("abcdef", 0.5)}), seed=0)
    assert same["measured"] == []
    assert difficulty(scored_report({"r": {"only": 0.5}}), seed=0)["measured"] == []


def test_given_levels_come_in_the_order_of_their_words_then_numbers_then_others(scored_report):
    given_levels = {"a": "Hard", "b": "easy", "c": "10", "d": "2", "e": "易", "f": "", "g": "easy"}
    report = scored_report(
        {"r": dict(zip(given_levels, [0.0, 1.0, 0.2, 0.3, 0.4, 0.5, 0.5], strict=True))},
        {key: {"difficulty": level} for key, level in given_levels.items()},
    )
    found = difficulty(report, seed=0)["given"]
    assert levels(found) == [("easy", 2), ("Hard", 1), ("2", 1), ("10", 1), ("易", 1)]
    assert found[0]["scores"] == {"r": 0.75}


def test_a_prediction_is_as_good_as_its_order(scored_report):
    scores = {f"q{at}": 1 - at / 8 for at in range(9)}
    hard = {f"q{at}": {"predicted": at / 8} for at in range(9)}
    found = difficulty(scored_report({"r": scores}, hard), seed=0)["predicted"]
    assert (found["correlation"], found["n"]) == (pytest.approx(1), 9)
    assert found["ci"] == pytest.approx([1, 1])
    assert found["predictor"] == predictor(1)
    assert levels(found["levels"]) == [("easy", 3), ("medium", 3), ("hard", 3)]
    assert found["levels"][0]["scores"] == {"r": pytest.approx(0.875)}
    turned = {f"q{at}": {"predicted": 1 - at / 8} for at in range(9)}
    assert difficulty(scored_report({"r": scores}, turned), seed=0)["predicted"][
        "correlation"
    ] == pytest.approx(-1)


def test_a_prediction_has_its_interval(scored_report):
    scipy = pytest.importorskip("scipy.stats")
    measured = [0.9, 0.8, 0.85, 0.3, 0.5, 0.1, 0.2, 0.6, 0.4, 0.7]
    scores = {f"q{at}": score for at, score in enumerate(measured)}
    known = {f"q{at}": {"predicted": at / 9} for at in range(10)}
    found = difficulty(scored_report({"a": scores, "b": scores}, known), seed=0)["predicted"]
    expected = scipy.spearmanr(range(10), [-score for score in measured]).statistic
    assert found["correlation"] == pytest.approx(expected)
    low, high = found["ci"]
    assert low < found["correlation"] < high
    assert found["predictor"] == predictor(2) != predictor(1)


def test_a_correlation_of_few_or_equal_queries_is_not_known(scored_report):
    known = {"a": {"predicted": 0.0}, "b": {"predicted": 1.0}}
    found = difficulty(scored_report({"r": {"a": 1.0, "b": 0.0}}, known), seed=0)["predicted"]
    assert (found["correlation"], found["ci"], found["n"]) == (None, None, 2)


def test_nothing_is_told_where_nothing_was_scored(scored_report):
    assert difficulty(scored_report({}), seed=0) == {}
    beaten = scored_report({"r": {"q": 1.0}}, changes={"r": {"status": "beaten"}})
    assert difficulty(beaten, seed=0) == {}


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from(["x", "y"])),
        min_size=1,
        max_size=40,
    )
)
def test_counts_add_up_and_weighted_means_are_the_score(scored_report, asked):
    report = scored_report(
        {"r": {f"q{at}": score for at, (score, _, _) in enumerate(asked)}},
        {
            f"q{at}": {"predicted": predicted, "difficulty": level}
            for at, (_, predicted, level) in enumerate(asked)
        },
    )
    found = difficulty(report, seed=0)
    for told in (found["given"], found["measured"], found["predicted"]["levels"]):
        if told:
            assert sum(one["queries"] for one in told) == len(asked)
            total = sum(one["queries"] * one["scores"]["r"] for one in told)
            assert total / len(asked) == pytest.approx(report.runs[0].scores["ndcg@10"])
    bands = found["measured"]
    for easier, harder in pairwise(bands):
        assert easier["from"] > harder["to"]


def test_queries_that_failed_are_left_out_of_how_well_was_predicted(scored_report):
    scores = {f"q{at}": at / 10 for at in range(8)}
    known = {key: {"predicted": 1 - at / 10} for at, key in enumerate(scores)}
    whole = scored_report({"a": scores, "b": scores}, known)
    assert difficulty(whole, seed=0)["predicted"]["n"] == 8
    failed = {"q0": "timed out", "q5": "timed out"}
    made = scored_report({"a": scores, "b": scores}, known, changes={"b": {"failed": failed}})
    told = difficulty(made, seed=0)["predicted"]
    assert told["n"] == sum(level["queries"] for level in told["levels"]) == 6
