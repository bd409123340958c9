import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.statistics.t_test import t_test


def test_by_hand():
    # Mean 2, error 1/sqrt(3): t = 2 sqrt(3) at 2 degrees of freedom, p = 1 - t/sqrt(2 + t^2).
    t = 2 * 3**0.5
    assert t_test(np.array([1.0, 2.0, 3.0])) == pytest.approx(1 - t / (2 + t**2) ** 0.5)


@pytest.mark.parametrize("queries", [2, 3, 17, 50, 1000])
def test_agrees_with_scipy(queries):
    a, b = np.random.default_rng(queries).random((2, queries))
    assert t_test(a - b) == pytest.approx(scipy.stats.ttest_rel(a, b).pvalue, abs=1e-9)


def test_collections_agree_with_welch():
    rng = np.random.default_rng(1)
    a, b = rng.normal(1, 1, 12), rng.normal(0.2, 3, 30)
    p = t_test(np.concatenate([a, b]), strata=np.repeat([0, 1], [12, 30]))
    assert p == pytest.approx(scipy.stats.ttest_ind(a, -b, equal_var=False).pvalue, abs=1e-9)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_p_is_a_chance_and_ignores_the_sign(values):
    p = t_test(np.array(values))
    assert 0 < p <= 1
    assert t_test(-np.array(values)) == p


def test_without_a_spread():
    assert t_test(np.zeros(5)) == 1.0
    assert t_test(np.array([0.4])) == 1.0
    assert t_test(np.full(5, 0.1)) == 2 / 2**5
    assert t_test(np.full(5000, 0.1)) > 0


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        t_test(np.array([]))
    with pytest.raises(InputError, match="row 0"):
        t_test(np.array([np.nan, 1.0]))
