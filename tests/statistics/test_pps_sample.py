import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.pps_sample import pps_sample


def test_by_hand():
    # 2 of sizes 6, 1, 1 and 2: the first would have 12 / 10, so it is certain; 1 of the rest.
    found = pps_sample(np.array([6.0, 1.0, 1.0, 2.0]), draws=2, seed=3)
    assert found.probabilities.tolist() == [1.0, 0.25, 0.25, 0.5]
    assert len(found.rows) == 2
    assert found.rows[0] == 0


def test_several_become_certain_one_after_the_other():
    # 3 of 10, 6, 2, 1 and 1: the first is certain; of the two left the second has 2 * 6 / 10.
    found = pps_sample(np.array([10.0, 6.0, 2.0, 1.0, 1.0]), draws=3)
    assert found.probabilities.tolist() == [1.0, 1.0, 0.5, 0.25, 0.25]


def test_equal_sizes_have_equal_probabilities():
    assert pps_sample(np.full(8, 3.0), draws=2).probabilities.tolist() == [0.25] * 8


SIZES = st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=30)


@given(sizes=SIZES, part=st.floats(0.01, 1), seed=st.integers(0, 99))
def test_probabilities_are_in_proportion_and_sum_to_the_draws(sizes, part, seed):
    weights = np.array(sizes)
    draws = max(1, round(part * len(weights)))
    found = pps_sample(weights, draws=draws, seed=seed)
    chances = found.probabilities
    assert len(found.rows) == draws == len(set(found.rows.tolist()))
    assert chances.sum() == pytest.approx(draws)
    assert ((chances > 0) & (chances <= 1)).all()
    open_ = chances < 1
    ratio = weights[open_] / chances[open_]
    assert np.allclose(ratio, ratio[:1])
    # What is drawn for certain is at least as large as that ratio, so that nothing is above 1.
    assert (weights[~open_] >= ratio[:1].max(initial=0) * (1 - 1e-9)).all()
    assert not len(set(np.flatnonzero(~open_).tolist()) - set(found.rows.tolist()))
    # The weights of the drawn sum to those of all, whatever is drawn.
    assert (weights / chances)[found.rows].sum() == pytest.approx(weights.sum())


def test_every_row_is_drawn_as_often_as_said():
    sizes, trials = 1 / np.arange(1.0, 21), 4_000
    counts = np.zeros(20)
    for seed in range(trials):
        counts[pps_sample(sizes, draws=6, seed=seed).rows] += 1
    chances = pps_sample(sizes, draws=6).probabilities
    error = np.sqrt(np.maximum(chances * (1 - chances), 1e-12) / trials)
    assert (np.abs(counts / trials - chances) < 4 * error + 1e-12).all()


def test_a_seed_draws_the_same_again():
    sizes = np.arange(1.0, 40)
    one, other = (pps_sample(sizes, draws=9, seed=seed).rows.tolist() for seed in (1, 2))
    assert one == pps_sample(sizes, draws=9, seed=1).rows.tolist()
    assert one != other


def test_wrong_input_is_refused():
    for draws in (0, 4):
        with pytest.raises(UsageError, match="of 3 rows"):
            pps_sample(np.ones(3), draws=draws)
    with pytest.raises(InputError, match="above 0"):
        pps_sample(np.array([1.0, 0.0]), draws=1)
