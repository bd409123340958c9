import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Relevant: a, c, e (R = 3); judged not relevant: b, d (N = 2). Ranking a b u c d, e is missed.
    # a has 0 of min(R, N) = 2 above it, c has 1: (1 + (1 - 1/2) + 0) / 3.
    grades = {"a": 1, "c": 2, "e": 1, "b": 0, "d": 0}
    assert scores(grades, "abucd", "bpref") == pytest.approx([0.5])


def test_nobody_judged_not_relevant():
    assert scores({"a": 1, "b": 1}, "uva", "bpref") == [0.5]  # a is retrieved, b is not


def test_pooled_but_unjudged_is_no_rival():
    assert scores({"a": 1, "b": -1, "c": 0}, "bac", "bpref") == [1.0]


def test_more_rivals_above_than_relevant_documents_exist():
    # R = 1, N = 3: the rivals that count are at most R, so one above is as bad as three.
    grades = {"a": 1, "b": 0, "c": 0, "d": 0}
    assert scores(grades, "bacd", "bpref") == scores(grades, "bcda", "bpref") == [0.0]


def test_a_level_makes_rivals_of_the_grades_below():
    assert scores({"a": 1, "b": 2}, "ab", "bpref", "bpref(rel=2)") == [1.0, 0.0]
