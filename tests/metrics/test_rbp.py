import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # p = .5, relevant at ranks 1 and 3: .5 x (1 + .25).
    got = scores({"a": 1, "b": 0, "c": 3}, "abc", "rbp(p=0.5)", "rbp(p=0.5)@2", "rbp(p=0.5)@1000")
    assert got == pytest.approx([0.625, 0.5, 0.625])


def test_the_default_persistence_stands_in_the_name():
    assert list(assay.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "rbp").scores) == ["rbp(p=0.8)"]


def test_an_impatient_reader_sees_the_first_document_only():
    assert scores({"a": 1, "b": 1}, "ab", "rbp(p=0)") == [1.0]
    assert scores({"b": 1}, "ab", "rbp(p=0)") == [0.0]


def test_levels():
    assert scores({"a": 1, "b": 2}, "ab", "rbp(p=0.5,rel=2)") == [0.25]
