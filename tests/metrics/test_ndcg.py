import math

import polars as pl
import pytest

import assay
from assay.errors import InputError


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Gains 1, 0, 3: 1 + 3/log2(4) = 2.5. The ideal is 3, 2, 1 over ALL judged documents, b too,
    # although it was not retrieved: 3 + 2/log2(3) + 1/2.
    ideal = 3 + 2 / math.log2(3) + 1 / 2
    assert scores({"a": 1, "b": 2, "c": 3}, "auc", "ndcg") == pytest.approx([2.5 / ideal])


def test_a_cutoff_cuts_the_ideal_too():
    # At 2: gain 1 of the ideal 3 + 2/log2(3); at 1: 1 of 3.
    got = scores({"a": 1, "b": 2, "c": 3}, "auc", "ndcg@2", "ndcg@1")
    assert got == pytest.approx([1 / (3 + 2 / math.log2(3)), 1 / 3])


def test_negative_grades_neither_gain_nor_cost():
    assert scores({"a": -1, "b": 2}, "ba", "ndcg") == [1.0]
    assert scores({"a": -2, "b": 2}, "ab", "ndcg") == pytest.approx([1 / math.log2(3)])


def test_many_hits_on_one_document_are_an_error_not_a_score_above_one():
    with pytest.raises(InputError, match="duplicate document"):
        assay.evaluate({"q": {"a": 1}}, FRAME, "ndcg")


FRAME = pl.DataFrame({"query": ["q", "q"], "document": ["a", "a"], "score": [2.0, 1.0]})
