import math

import numpy as np
import pytest
import scipy.stats

from assay.errors import InputError
from assay.statistics.t_interval import t_interval


def test_by_hand():
    # Mean 2, sd 1, error 1/sqrt(3); t at 2 degrees of freedom is 4.302653.
    interval = t_interval(np.array([1.0, 2.0, 3.0]))
    assert interval.low == pytest.approx(2 - 4.302652729749464 / math.sqrt(3), abs=1e-12)
    assert interval.high == pytest.approx(2 + 4.302652729749464 / math.sqrt(3), abs=1e-12)


@pytest.mark.parametrize("queries", [2, 5, 50, 500])
def test_agrees_with_scipy(queries):
    rng = np.random.default_rng(queries)
    a, b = rng.random((2, queries))
    expected = scipy.stats.ttest_rel(a, b).confidence_interval(0.9)
    interval = t_interval(a - b, level=0.9)
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-9)


def test_collections_agree_with_welch():
    # Two collections: half the difference of means that Welch's test has, with b turned.
    rng = np.random.default_rng(1)
    a, b = rng.normal(1, 1, 12), rng.normal(2, 3, 30)
    expected = scipy.stats.ttest_ind(a, -b, equal_var=False).confidence_interval()
    interval = t_interval(np.concatenate([a, b]), strata=np.repeat([4, 7], [12, 30]))
    assert (2 * interval.low, 2 * interval.high) == pytest.approx(tuple(expected), abs=1e-9)


def test_equal_differences_are_said_not_hidden():
    interval = t_interval(np.array([0.5 - 0.4, 0.3 - 0.2, 0.1]))
    assert (interval.low, interval.high) == pytest.approx((0.1, 0.1))
    assert interval.note == "all values equal"


def test_one_query_has_no_spread_to_show():
    interval = t_interval(np.array([0.3]))
    assert (interval.low, interval.high) == (-math.inf, math.inf)
    assert "one query" in interval.note


def test_a_collection_of_one_query_borrows_the_spread_of_the_others():
    strata = np.array([0, 0, 0, 1])
    interval = t_interval(np.array([0.1, 0.2, 0.3, 0.2]), strata=strata)
    assert 0 < interval.high - interval.low < math.inf
    assert "spread of the other" in interval.note


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        t_interval(np.array([]))
    with pytest.raises(InputError, match="not a finite number"):
        t_interval(np.array([0.1, np.inf]))
