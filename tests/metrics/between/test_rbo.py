import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics.between.rbo import rbo
from assay.rankings.load import load

rankings = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1, max_size=8)


def _run(documents):
    return load({"q": {document: -float(rank) for rank, document in enumerate(documents)}})


def _definition(left, right, p, depth=4000):
    """Sum the agreement of two full rankings, both continued by the same unseen documents."""
    left, right = list(left), list(right)
    tail = [f"tail{i}" for i in range(depth)]
    total, weight = 0.0, 1 - p
    for d in range(1, depth):
        shared = len(set((left + tail)[:d]) & set((right + tail)[:d]))
        total += weight * shared / d
        weight *= p
        if weight < 1e-15:
            break
    return total


def test_half_agreement_by_hand():
    # depth 1: 0/1, depth 2: 2/2, then agreement 1 for ever: (1-p) * (0 + p + p^2 + ...) = p
    assert rbo(_run("ab"), _run("ba"), p=0.9)[0] == pytest.approx(0.9)


def test_alike_is_one_and_foreign_is_zero():
    assert rbo(_run("abc"), _run("abc"))[0] == pytest.approx(1)
    assert rbo(_run("abc"), _run("xyz"))[0] == pytest.approx(0)


@given(st.permutations("abcde"), st.permutations("abcde"))
def test_two_orders_of_the_same_documents_follow_the_infinite_sum(left, right):
    expected = _definition(left, right, 0.8)

    assert rbo(_run(left), _run(right), p=0.8)[0] == pytest.approx(expected, abs=1e-9)


@given(rankings, rankings)
def test_is_symmetric_and_between_zero_and_one(left, right):
    there, back = rbo(_run(left), _run(right))[0], rbo(_run(right), _run(left))[0]

    assert there == pytest.approx(back)
    assert -1e-12 <= there <= 1 + 1e-12


def test_swaps_at_the_top_weigh_more():
    top, bottom = _run("bacdef"), _run("abcdfe")

    assert rbo(_run("abcdef"), top)[0] < rbo(_run("abcdef"), bottom)[0]


def test_a_query_that_one_run_lacks_counts_as_no_agreement():
    left = load({"q": {"a": 1.0}, "r": {"a": 1.0}})
    right = load({"q": {"a": 1.0}})

    assert list(rbo(left, right)) == [pytest.approx(1), 0]


def test_every_pair_of_short_lists_of_different_length():
    for n, m in itertools.product(range(1, 5), repeat=2):
        score = rbo(_run("abcd"[:n]), _run("abcd"[:m]))[0]
        assert score == pytest.approx(1), "a prefix agrees as far as it goes"
