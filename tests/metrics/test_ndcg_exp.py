import math

import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Gains 2^1 - 1 = 1 and 2^3 - 1 = 7: 1 + 7/log2(3) of the ideal 7 + 1/log2(3).
    third = 1 / math.log2(3)
    got = scores({"a": 1, "b": 3}, "ab", "ndcg_exp", "ndcg_exp@1")
    assert got == pytest.approx([(1 + 7 * third) / (7 + third), 1 / 7])


def test_binary_grades_make_it_ndcg():
    grades = {"a": 1, "b": 0, "c": 1}
    exponential, linear = scores(grades, "bac", "ndcg_exp@2", "ndcg@2")
    assert exponential == linear
