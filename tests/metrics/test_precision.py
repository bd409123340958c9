import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Ranks: a (relevant), u (unjudged), b (judged 0), c (relevant). 1 of 1, 1 of 3, 2 of 4.
    grades = {"a": 1, "b": 0, "c": 2, "d": 1}
    got = scores(grades, "aubc", "precision@1", "precision@3", "precision@4")
    assert got == pytest.approx([1, 1 / 3, 1 / 2])


def test_places_beyond_the_end_of_the_run_count_as_not_relevant():
    assert scores({"a": 1}, "a", "precision@5") == [0.2]


def test_levels():
    assert scores({"a": 1, "b": 2, "c": 3}, "abc", "P(rel=2)@3", "P(rel=3)@3", "P(rel=4)@3") == (
        pytest.approx([2 / 3, 1 / 3, 0])
    )


def test_pooled_but_unjudged_is_not_relevant():
    assert scores({"a": -1, "b": 1}, "ab", "precision@2") == [0.5]
