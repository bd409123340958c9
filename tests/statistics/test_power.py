import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.statistics.power import power


def test_a_known_figure():
    # G*Power 3.1: paired t, d_z .5, 34 pairs, two-sided .05 -> .8077775.
    assert power(0.5, sd=1, queries=34) == pytest.approx(0.8077775, abs=1e-6)


@pytest.mark.parametrize("queries", [2, 3, 10, 30, 100, 1000, 1_000_000])
@pytest.mark.parametrize("alpha", [0.05, 0.005])
@pytest.mark.parametrize("centre", [0.0, 0.1, 1.0, 3.0, 6.0])
def test_agrees_with_the_noncentral_t_of_scipy(queries, alpha, centre):
    critical = scipy.stats.t.isf(alpha / 2, queries - 1)
    upper = scipy.stats.nct.sf(critical, queries - 1, centre)
    lower = np.nan_to_num(scipy.stats.nct.cdf(-critical, queries - 1, centre))
    found = power(centre / math.sqrt(queries), sd=1, queries=queries, alpha=alpha)
    assert found == pytest.approx(upper + lower, abs=1e-9)


def test_no_corner_gives_nan():
    assert power(1.0, sd=0.001, queries=5000) == pytest.approx(1, abs=1e-12)
    assert power(0.0, sd=1.0, queries=12) == pytest.approx(0.05, abs=1e-12)
    assert power(0.1, sd=0.0, queries=12) == 1.0
    assert power(0.1, sd=1.0, queries=1) == 0.05
    assert power(0.1, sd=math.inf, queries=9, candidates=5) == 0.01


@settings(max_examples=40)
@given(st.floats(0.001, 1), st.floats(0.01, 1), st.integers(2, 500), st.integers(1, 20))
def test_more_of_everything_helps(difference, sd, queries, candidates):
    options = {"sd": sd, "queries": queries, "candidates": candidates}
    found = power(difference, **options)
    assert 0 < found <= 1
    assert power(-difference, **options) == found
    assert power(difference * 1.1, **options) >= found - 1e-9
    assert power(difference, **options | {"queries": queries + 1}) >= found - 1e-9
    assert power(difference, **options | {"candidates": candidates + 1}) <= found + 1e-9


def test_wrong_use_is_refused():
    with pytest.raises(UsageError, match="sd: invalid"):
        power(0.1, sd=-1.0, queries=10)
    with pytest.raises(UsageError, match="sd: invalid"):
        power(0.1, sd=math.nan, queries=10)
    with pytest.raises(UsageError, match="at least one"):
        power(0.1, sd=1.0, queries=0)
    with pytest.raises(UsageError, match="alpha"):
        power(0.1, sd=1.0, queries=10, alpha=0.0)
