import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # The first relevant document stands at rank 3; the second adds nothing.
    grades = {"c": 1, "d": 2, "a": 0}
    assert scores(grades, "abcd", "mrr", "mrr@3", "mrr@2") == pytest.approx([1 / 3, 1 / 3, 0])


def test_levels():
    assert scores({"a": 1, "b": 2}, "ab", "mrr(rel=2)", "mrr(rel=3)") == [0.5, 0]


def test_pooled_but_unjudged_is_not_relevant():
    assert scores({"a": -1, "b": 1}, "ab", "mrr") == [0.5]
