import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Relevant at ranks 1 and 4, a third not retrieved: (1/1 + 2/4) / 3.
    grades = {"a": 1, "b": 0, "c": 2, "d": 1}
    assert scores(grades, "aubc", "ap") == pytest.approx([(1 + 2 / 4) / 3])


def test_a_cutoff_still_divides_by_all_relevant():
    # Four relevant documents in the top 4; AP@2 = (1/1 + 2/2) / 4.
    grades = dict.fromkeys("abcd", 1)
    assert scores(grades, "abcd", "ap@2", "ap@4", "ap@100", "ap") == [0.5, 1, 1, 1]


def test_the_mean_over_queries_is_map():
    qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1}, "r": {"b": 2, "a": 1}}
    assert assay.evaluate(qrels, run, "map").scores == {"ap": 0.75}


def test_levels():
    # Of b and c only: (1/2 + 2/3) / 2.
    grades = {"a": 1, "b": 2, "c": 3}
    assert scores(grades, "abc", "ap(rel=2)") == pytest.approx([(1 / 2 + 2 / 3) / 2])
