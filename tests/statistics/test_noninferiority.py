import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.statistics.noninferiority import noninferiority
from assay.statistics.t_interval import t_interval


@pytest.mark.parametrize("queries", [2, 20, 300])
def test_agrees_with_scipy(queries):
    values = np.random.default_rng(queries).normal(0, 0.2, queries)
    expected = scipy.stats.ttest_1samp(values, -0.05, alternative="greater")
    found = noninferiority(values, margin=0.05)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-9)
    assert found.low == pytest.approx(expected.confidence_interval(0.95).low, abs=1e-9)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=20), st.floats(0, 0.5))
def test_the_p_the_bound_and_the_interval_say_the_same(values, margin):
    found = noninferiority(np.array(values), margin=margin)
    assert found.noninferior == (found.p < 0.05)
    if np.ptp(values) > 1e-6:
        assert found.low == pytest.approx(t_interval(np.array(values), level=0.9).low)
        if abs(found.low + margin) > 1e-9:
            assert found.noninferior == (found.low > -margin)


def test_collections_weigh_equally():
    values, strata = np.array([0.0, 0.02, -0.3, -0.31, -0.3]), np.array([0, 0, 1, 1, 1])
    found = noninferiority(values, margin=0.2, strata=strata)
    assert found.low < (0.01 - 0.9100 / 3) / 2
    assert found.noninferior


def test_without_a_spread():
    assert noninferiority(np.zeros(20), margin=0.01).noninferior
    assert not noninferiority(np.zeros(20), margin=0.0).noninferior
    assert not noninferiority(np.zeros(3), margin=0.01).noninferior  # three ties show little
    assert not noninferiority(np.array([0.5]), margin=0.01).noninferior


def test_a_negative_margin_is_refused():
    with pytest.raises(UsageError, match="margin"):
        noninferiority(np.zeros(3), margin=-0.1)
