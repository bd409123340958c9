import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.engines.redundancy import redundancy


def test_by_hand():
    # Three pairs: the same direction 1, at right angles 0 and 0.
    assert redundancy(np.array([[1, 0], [3, 0], [0, 2]], np.float32)) == pytest.approx(1 / 3)
    assert redundancy(np.array([[1, 0], [-1, 0]])) == pytest.approx(-1)
    assert redundancy(np.array([[1, 0], [1, 1]])) == pytest.approx(np.sqrt(0.5))


def test_below_two_there_are_no_pairs():
    assert redundancy(np.empty((0, 4), np.float32)) is None
    assert redundancy(np.ones((1, 4), np.float32)) is None


def test_a_row_of_zeros_resembles_none():
    rows = np.array([[0, 0], [1, 0], [1, 0]], np.float32)
    assert redundancy(rows) == pytest.approx(1 / 3)
    assert redundancy(np.zeros((3, 2))) == 0.0


def test_many_copies_of_one_row_are_wholly_redundant():
    assert redundancy(np.tile(np.float32([0.6, 0.8]), (5_000, 1))) == pytest.approx(1, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(count=st.integers(2, 30), dimension=st.integers(1, 12), seed=st.integers(0, 999))
def test_the_mean_over_all_pairs(count, dimension, seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, dimension))
    pairs = [
        rows[i] @ rows[j] / np.linalg.norm(rows[i]) / np.linalg.norm(rows[j])
        for i in range(count)
        for j in range(i)
    ]
    assert redundancy(rows) == pytest.approx(np.mean(pairs), abs=1e-12)
    scaled = rows * rng.uniform(0.1, 9, size=(count, 1))
    assert redundancy(scaled[::-1]) == pytest.approx(redundancy(rows), abs=1e-12)
