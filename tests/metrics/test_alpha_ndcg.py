import math

import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


THIRD = 1 / math.log2(3)


def of_items(items, ranking, metric):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    (score,) = assay.evaluate(assay.Judgments.of_items({"q": items}), run, metric).scores.values()
    return score


def test_by_hand():
    # a meets both items, b the first, c the second. Ranking b, a, c with alpha .5:
    # b 1; a (.5 + 1) / log2(3); c .5 / 2. Ideal a, then b, then c: 2 + .5 / log2(3) + .5 / 2.
    items = [({"a": 1, "b": 1}, 1), ({"a": 1, "c": 1}, 1)]
    ideal = 2 + 0.5 * THIRD + 0.25
    assert of_items(items, "bac", "alpha_ndcg") == pytest.approx((1 + 1.5 * THIRD + 0.25) / ideal)
    assert of_items(items, "bac", "alpha_ndcg@1") == pytest.approx(1 / 2)
    assert of_items(items, "abc", "alpha_ndcg") == of_items(items, "acb", "alpha_ndcg") == 1.0


def test_without_novelty_it_counts_every_item_again():
    items = [({"a": 1, "b": 1}, 1), ({"a": 1}, 1)]
    got = of_items(items, "ba", "alpha_ndcg(alpha=0)")
    assert got == pytest.approx((1 + 2 * THIRD) / (2 + THIRD))


def test_documents_that_are_their_own_items_make_it_binary_ndcg():
    grades = {"a": 1, "b": 0, "c": 1}
    diverse, plain = scores(grades, "bac", "alpha_ndcg@2", "ndcg@2")
    assert diverse == pytest.approx(plain)


def test_levels():
    items = [({"a": 1}, 1), ({"b": 1}, 2)]
    assert of_items(items, "ab", "alpha_ndcg(rel=2)") == pytest.approx(THIRD)
