import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Three relevant: the top 3 (a, u, b) hold one of them.
    assert scores({"a": 1, "b": 0, "c": 2, "d": 1}, "aubc", "r_precision") == pytest.approx([1 / 3])


def test_a_run_shorter_than_the_number_of_relevant_documents():
    assert scores({"a": 1, "b": 1, "c": 1, "d": 1}, "ab", "r_precision") == [0.5]


def test_levels():
    # Two of grade 2 or more; the top 2 hold one of them.
    assert scores({"a": 1, "b": 2, "c": 3}, "abc", "r_precision(rel=2)") == [0.5]
