import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Top 4 holds 2 of 3 relevant: P = 1/2, R = 2/3, F1 = 2 x 1/3 / (7/6) = 4/7.
    assert scores({"a": 1, "b": 0, "c": 2, "d": 1}, "aubc", "f1@4") == pytest.approx([4 / 7])


def test_neither_precision_nor_recall():
    assert scores({"d": 1}, "abc", "f1@3") == [0.0]


def test_both_perfect():
    assert scores({"a": 1, "b": 1}, "ab", "f1@2") == [1.0]
