from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.randomisation import randomisation

scores = st.sampled_from([-1.0, -0.5, -1 / 3, 0.0, 0.1, 0.25, 1 / 3, 0.5, 1.0])
few = st.lists(scores, min_size=1, max_size=8)


def brute_force(differences, weights, extreme):
    observed = extreme(sum(w * d for w, d in zip(weights, differences, strict=True)))
    sums = [
        extreme(sum(s * w * d for s, w, d in zip(signs, weights, differences, strict=True)))
        for signs in product([1, -1], repeat=len(differences))
    ]
    return sum(x >= observed - 1e-12 for x in sums) / len(sums)


def test_three_wins_by_hand():
    # Of the 8 ways to turn the signs of 1, 2, 3 only two sum to 6 or -6.
    assert randomisation(np.array([1.0, 2.0, 3.0])).item() == 2 / 8
    assert randomisation(np.array([1.0, 2.0, 3.0]), alternative="greater").item() == 1 / 8
    assert randomisation(np.array([1.0, 2.0, 3.0]), alternative="less").item() == 1.0


@given(few)
def test_few_queries_are_enumerated(differences):
    weights = [1 / len(differences)] * len(differences)
    values = np.array(differences)
    assert randomisation(values).item() == brute_force(differences, weights, abs)
    one_sided = randomisation(values, alternative="greater").item()
    assert one_sided == brute_force(differences, weights, lambda x: x)


def test_collections_weigh_equally():
    differences = [0.2, 0.1, 0.4, -0.3, 0.7]
    strata = np.array([1, 1, 1, 0, 0])
    weights = [1 / 6, 1 / 6, 1 / 6, 1 / 4, 1 / 4]
    expected = brute_force(differences, weights, abs)
    assert randomisation(np.array(differences), strata=strata).item() == expected


def test_a_sample_of_flips_comes_close_to_all_of_them():
    values = np.random.default_rng(3).normal(0.3, 1, 16)
    exact = randomisation(values).item()
    drawn = randomisation(np.append(values, 0.0), flips=100_000).item()  # a tie changes nothing
    assert drawn == pytest.approx(exact, abs=0.005)


@settings(max_examples=25)
@given(st.lists(scores, min_size=1, max_size=40))
def test_p_is_a_chance_and_ignores_the_sign(differences):
    values = np.array(differences)
    p = randomisation(values, flips=200).item()
    assert 0 < p <= 1
    assert randomisation(-values, flips=200).item() == p
    greater = randomisation(values, flips=200, alternative="greater").item()
    assert randomisation(-values, flips=200, alternative="less").item() == greater


def test_columns_share_the_flips_and_do_not_influence_each_other():
    columns = np.random.default_rng(5).normal(0, 1, (60, 7))
    together = randomisation(columns, flips=500, seed=9)
    apart = [randomisation(columns[:, j], flips=500, seed=9).item() for j in range(7)]
    assert together.tolist() == apart


def test_a_seed_gives_the_same_bits_whatever_the_block(monkeypatch):
    values = np.random.default_rng(6).normal(0.1, 1, 130)
    first = randomisation(values, flips=1000, seed=4)
    monkeypatch.setattr("assay.statistics._sign_flips.BLOCK", 130 * 7)
    assert randomisation(values, flips=1000, seed=4).tolist() == first.tolist()
    assert randomisation(values, flips=1000, seed=5).tolist() != first.tolist()


def test_the_smallest_p_counts_the_observed_order():
    assert randomisation(np.full(200, 0.1), flips=999).item() == 1 / 1000


def test_rounding_cannot_break_a_tie():
    # 0.1 + 0.2 and 0.3 are one sum; in floating point they are two.
    assert randomisation(np.array([0.1, 0.2, -0.3])).item() == 1.0
    thirds = np.array([1 / 3, -1 / 3] * 40)
    assert randomisation(thirds, flips=300).item() == 1.0


@pytest.mark.parametrize("queries", [1, 5, 40])
def test_nothing_differs(queries):
    assert randomisation(np.zeros(queries)).item() == 1.0
    assert randomisation(np.full(queries, 1e-16), flips=100).item() == 1.0


def test_one_query_shows_nothing():
    assert randomisation(np.array([0.9])).item() == 1.0


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        randomisation(np.array([]))
    with pytest.raises(InputError, match="row 1"):
        randomisation(np.array([0.1, np.nan]))
    with pytest.raises(UsageError, match="strata"):
        randomisation(np.array([0.1, 0.2]), strata=np.array([1]))
