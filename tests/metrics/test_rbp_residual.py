import pytest

import assay
import assay.metrics


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # p = .5: a and c are judged and weigh .5 and .125; u at rank 2 and all below rank 3 are not.
    got = scores({"a": 1, "c": 0}, "auc", "rbp_residual(p=0.5)")
    assert got == pytest.approx([1 - 0.5 - 0.125])


def test_pooled_but_unjudged_is_unknown():
    assert scores({"a": -1, "b": 1}, "ab", "rbp_residual(p=0.5)") == [0.75]


def test_the_score_and_its_residual_hold_the_score_of_any_grading():
    low, residual = scores({"a": 1}, "aub", "rbp", "rbp_residual")
    (best,) = scores({"a": 1, "u": 1, "b": 1}, "aub", "rbp")
    assert low < best <= low + residual


def test_less_is_better():
    assert not assay.metrics.parse("rbp_residual").kind.higher_is_better
