import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.queries.predicted_difficulty import _agreement, predict_difficulty, predictor
from assay.records import Rankings, encode


def rankings(answers, name="r"):
    """Lay answers out as rankings: for each query documents with scores."""
    sizes = [len(found) for found in answers.values()]
    pairs = [pair for found in answers.values() for pair in found]
    return Rankings(
        name,
        tuple(answers),
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        encode(document for document, _ in pairs),
        np.array([score for _, score in pairs], np.float64),
    )


def test_one_run_finds_a_query_hard_whose_scores_are_alike(snapshot):
    one = rankings(
        {
            "alike": [("a", 1.0), ("b", 0.9)],  # standard deviation 0.05
            "apart": [("a", 1.0), ("b", 0.0)],  # 0.5
            "between": [("a", -4.0), ("b", -4.5)],  # 0.25
            "single": [("a", 9.0)],  # 0
        }
    )
    asked = ["alike", "apart", "between", "single"]
    assert predict_difficulty([one], asked) == pytest.approx(
        {"apart": 0.0, "between": 1 / 3, "alike": 2 / 3, "single": 1.0}
    )
    snapshot([predictor(1), predictor(2)])


def test_a_query_without_an_answer_looks_hard():
    one = rankings({"q1": [("a", 1.0), ("b", 0.9)], "empty": []})
    assert predict_difficulty([one], ["q1", "empty"]) == {"q1": 0.0, "empty": 1.0}


def test_a_query_that_failed_is_not_placed():
    answers = {f"q{at}": [("a", 1.0), ("b", 1.0 - at / 10)] for at in range(5)}
    whole = rankings(answers)
    fewer = rankings({key: found for key, found in answers.items() if key != "q0"})
    found = predict_difficulty([whole, fewer], [*answers])
    assert [*found] == ["q1", "q2", "q3", "q4"]
    assert found == predict_difficulty([whole, fewer], [*answers][1:])
    assert predict_difficulty([whole, rankings({})], [*answers]) == {}


def test_failures_are_not_taken_for_what_was_predicted():
    rng = np.random.default_rng(0)
    asked = [f"q{at}" for at in range(60)]
    made = {
        key: [(f"d{at}", score) for at, score in enumerate(rng.random(20))] for key in asked[15:]
    }
    found = predict_difficulty([rankings(made)], asked)
    assert [*found] == asked[15:]  # else the 15 that failed would be the hardest of all


def test_runs_whose_scores_say_nothing_are_heard_by_how_they_agree():
    places = [("a", 3.0), ("b", 2.0), ("c", 1.0)]
    turned = [("c", 3.0), ("b", 2.0), ("a", 1.0)]
    other = [("x", 3.0), ("y", 2.0), ("z", 1.0)]
    first = rankings({"same": places, "turned": places, "other": places})
    second = rankings({"same": places, "turned": turned, "other": other})
    found = predict_difficulty([first, second], ["same", "turned", "other"])
    assert found == {"same": 0.0, "turned": 0.5, "other": 1.0}
    assert predict_difficulty([first], ["same", "turned", "other"]) == {}


def test_both_signs_count_the_same():
    apart, alike = [("a", 9.0), ("b", 0.0)], [("a", 1.0), ("b", 0.9)]
    first = rankings({"q1": apart, "q2": alike})
    second = rankings({"q1": [("x", 9.0), ("y", 0.0)], "q2": alike})
    assert predict_difficulty([first, second], ["q1", "q2"]) == {}  # one says q1, the other q2


def test_documents_behind_the_first_twenty_do_not_count():
    head = [(f"d{at}", float(-at)) for at in range(20)]
    tail = [(f"t{at}", -1000.0) for at in range(50)]
    one = rankings({"short": head, "long": head + tail})
    assert predict_difficulty([one], ["short", "long"]) == {}


def test_agreement_is_the_sum_of_rank_biased_overlap_over_all_pairs():
    orders = [["a", "b", "c"], ["b", "a", "d"], ["c", "a"]]

    def overlap(one, other):
        depths = range(1, 21)
        shares = [len(set(one[:depth]) & set(other[:depth])) / depth for depth in depths]
        return sum(0.9**at * share for at, share in enumerate(shares))

    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = sum(overlap(orders[a], orders[b]) for a, b in pairs)
    assert _agreement(orders) == pytest.approx(expected)


def test_nothing_is_predicted_from_nothing():
    assert predict_difficulty([], ["q"]) == {}
    assert predict_difficulty([rankings({"q": [("a", 1.0)]})], []) == {}
    assert predict_difficulty([rankings({"q": [("a", 1.0)]})], ["q"]) == {}


SCORES = st.lists(st.floats(-1e6, 1e6), max_size=5)


@given(st.dictionaries(st.text(max_size=4), st.tuples(SCORES, SCORES), min_size=2))
def test_places_lie_between_0_and_1_and_are_those_of_renamed_runs_in_any_order(asked):
    first, second = (
        rankings(
            {
                query: [(f"d{at}", score) for at, score in enumerate(sorted(both[at_run])[::-1])]
                for query, both in asked.items()
            },
            name=f"run {at_run}",
        )
        for at_run in (0, 1)
    )
    found = predict_difficulty([first, second], [*asked])
    assert all(0 <= place <= 1 for place in found.values())
    if found:
        assert np.mean([*found.values()]) == pytest.approx(0.5)
    assert predict_difficulty([second, first], [*asked]) == pytest.approx(found)
