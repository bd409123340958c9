import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # a and c (judged 0) have a judgment, u has none, d is pooled but unjudged.
    grades = {"a": 1, "c": 0, "d": -1}
    got = scores(grades, "aucd", "judged@1", "judged@2", "judged@3", "judged@4", "judged")
    assert got == pytest.approx([1, 1 / 2, 2 / 3, 1 / 2, 1 / 2])


def test_divides_by_what_was_returned_when_that_is_less():
    assert scores({"a": 1}, "au", "judged@10") == [0.5]


def test_nothing_relevant_is_still_judged():
    assert scores({"a": 0}, "a", "judged@10") == [1.0]
