import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.errors import InputError
from assay.statistics.best_set import best_set
from assay.statistics.randomisation import randomisation

scores = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 1.0])


def test_the_clearly_beaten_leave_and_the_close_stay():
    scores = np.random.default_rng(0).normal([0.5, 0.49, 0.3, 0.1], 0.1, (60, 4))
    found = best_set(scores)
    assert found.members.tolist() == [True, True, False, False]
    assert found.p[:2].max() == 1.0
    assert found.p[2:].max() < 0.01


def test_two_configurations_are_the_paired_test():
    scores = np.random.default_rng(1).normal([0.5, 0.55], 0.2, (40, 2))
    expected = randomisation(scores[:, 1] - scores[:, 0]).item()
    assert best_set(scores).p.min() == expected


def test_two_configurations_of_few_queries_are_the_exact_paired_test():
    scores = np.random.default_rng(1).normal([0.5, 0.55], 0.2, (9, 2))
    expected = randomisation(scores[:, 1] - scores[:, 0]).item()
    assert best_set(scores).p.min() == pytest.approx(expected)


def test_those_who_stay_are_compared_again():
    # Among the three alone the second is beaten; seventeen bad ones must not protect it.
    rng = np.random.default_rng(4)
    top = rng.normal([0.55, 0.5], 0.1, (40, 2))
    bad = rng.normal(-2, 0.1, (40, 17))
    alone, among = best_set(top), best_set(np.hstack([top, bad]))
    assert among.members[2:].sum() == 0
    assert among.members[:2].tolist() == alone.members.tolist()
    assert among.p[1] == pytest.approx(alone.p[1], abs=0.01)


@settings(max_examples=40)
@given(arrays(np.float64, st.tuples(st.integers(1, 24), st.integers(1, 5)), elements=scores))
def test_the_leader_stays_and_names_do_not_matter(values):
    found = best_set(values, flips=200)
    assert found.members[np.argmax(values.mean(axis=0))]
    backwards = best_set(values[:, ::-1], flips=200)
    assert backwards.members[::-1].tolist() == found.members.tolist()


def test_equal_configurations_all_stay():
    values = np.repeat(np.random.default_rng(2).random((30, 1)), 4, axis=1)
    assert best_set(values).members.all()


def test_one_query_tells_nothing():
    assert best_set(np.array([[0.1, 0.9, 0.5]])).members.all()


def test_collections_weigh_equally():
    # The first is better in the large collection, far worse in the small one.
    rng = np.random.default_rng(3)
    strata = np.repeat([0, 1], [10, 90])
    gain = np.where(strata == 1, 0.1, -0.6) + rng.normal(0, 0.1, 100)
    values = np.column_stack([gain, np.zeros(100)])
    assert best_set(values).members.tolist() == [True, True]
    assert best_set(values, strata=strata).members.tolist() == [False, True]


def test_a_seed_gives_the_same_bits():
    values = np.random.default_rng(5).random((50, 4))
    first = best_set(values, seed=1, flips=500)
    assert first.p.tolist() == best_set(values, seed=1, flips=500).p.tolist()
    assert first.p.tolist() != best_set(values, seed=2, flips=500).p.tolist()


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        best_set(np.zeros((0, 3)))
    with pytest.raises(InputError, match="row 1"):
        best_set(np.array([[0.1, 0.2], [np.nan, 0.3]]))


def test_configurations_that_are_not_seen_count_as_if_they_were_in():
    rng = np.random.default_rng(3)
    base = rng.normal(size=(60, 1))
    scores = base + rng.normal(scale=0.3, size=(60, 6)) + [0.24, 0.2, 0.1, 0, -0.2, -0.3]
    every = best_set(scores, seed=1)
    alone, counted = (best_set(scores[:, :4], seed=1, unseen=count) for count in (0, 2))
    assert (counted.p >= alone.p).all()
    assert (counted.p > alone.p).any()
    assert (counted.members >= every.members[:4]).all()
    # By hand: one deficit t among 2 seen, with 1 unseen: 4 further ordered pairs.
    pair = scores[:, [0, 3]]
    gains = pair[:, 0] - pair[:, 1]
    t = gains.sum() / np.sqrt((gains**2).sum())
    further = 4 * min(3.178 * math.erfc(t / math.sqrt(2)) / 2, math.exp(-(t**2) / 2))
    without, with_one = (best_set(pair, seed=1, unseen=count).p[1] for count in (0, 1))
    assert with_one == pytest.approx(min(1.0, without + further))


def test_the_bound_on_sign_flips_holds():
    """Of any weights: all 2^12 flips reach t no more often than the bound says."""
    rng = np.random.default_rng(5)
    flips = 1 - 2 * (np.arange(2**12)[:, None] >> np.arange(12) & 1)
    for power in (0, 1, 4):
        weights = rng.random(12) ** power
        sums = flips @ (weights / np.sqrt((weights**2).sum()))
        for t in np.linspace(0.1, 3.4, 40).tolist():
            bound = min(3.178 * math.erfc(t / math.sqrt(2)) / 2, math.exp(-(t**2) / 2))
            assert (sums >= t - 1e-10).mean() <= bound + 1e-12
