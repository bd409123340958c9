from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.errors import InputError
from assay.statistics.holm import holm
from assay.statistics.max_t import max_t
from assay.statistics.randomisation import randomisation

scores = st.sampled_from([-0.5, -1 / 3, 0.0, 0.1, 0.25, 0.5, 1.0])


def student(columns):
    error = columns.std(axis=0, ddof=1) / len(columns) ** 0.5
    return np.abs(columns.mean(axis=0)) / error


def test_step_down_by_brute_force_with_students_t():
    columns = np.random.default_rng(0).normal([0.9, 0.2, 0.6], 1, (8, 3))
    observed = student(columns)
    order = np.argsort(-observed)
    flipped = [student(columns * np.array(s)[:, None]) for s in product([1, -1], repeat=8)]
    expected, floor = np.empty(3), 0.0
    for k, column in enumerate(order):
        largest = np.array([t[order[k:]].max() for t in flipped])
        floor = max(floor, float((largest >= observed[column] * (1 - 1e-9)).mean()))
        expected[column] = floor
    assert max_t(columns).tolist() == expected.tolist()


@settings(max_examples=40)
@given(arrays(np.float64, st.tuples(st.integers(1, 24), st.integers(1, 4)), elements=scores))
def test_corrected_p_is_a_chance_no_smaller_than_the_raw_one(columns):
    corrected = max_t(columns, flips=200)
    assert ((corrected > 0) & (corrected <= 1)).all()
    assert (corrected >= randomisation(columns, flips=200)).all()
    backwards = max_t(columns[:, ::-1], flips=200)[::-1]
    assert backwards.tolist() == corrected.tolist()


def test_one_column_needs_no_correction():
    values = np.random.default_rng(1).normal(0.2, 1, 60)
    assert max_t(values).tolist() == randomisation(values).tolist()


def test_alike_columns_cost_less_than_holm_asks():
    values = np.random.default_rng(2).normal(0.3, 1, 60)
    columns = np.column_stack([values] * 8)
    assert max_t(columns).tolist() == randomisation(columns).tolist()
    assert (max_t(columns) < holm(randomisation(columns))).all()


def test_collections_weigh_equally():
    values = np.random.default_rng(3).normal(0.3, 1, 14)
    strata = np.repeat([0, 1], [4, 10])
    expected = randomisation(values, strata=strata)
    assert max_t(values, strata=strata).tolist() == expected.tolist()


def test_nothing_differs():
    assert max_t(np.zeros((30, 2)), flips=50).tolist() == [1.0, 1.0]


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        max_t(np.zeros((0, 3)))
