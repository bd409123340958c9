import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Three relevant documents exist; a stands first, c fourth, d was not retrieved.
    grades = {"a": 1, "b": 0, "c": 2, "d": 1}
    got = scores(grades, "aubc", "recall@1", "recall@3", "recall@4", "recall", "recall@1000")
    assert got == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3, 2 / 3])


def test_levels_move_the_denominator_too():
    assert scores({"a": 1, "b": 2, "c": 3}, "ab", "recall(rel=2)", "recall(rel=3)") == [0.5, 0]


def test_pooled_but_unjudged_is_not_in_the_denominator():
    assert scores({"a": -1, "b": 1}, "ab", "recall") == [1.0]
