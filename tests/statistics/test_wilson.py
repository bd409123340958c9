import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.statistics.wilson import wilson


def test_by_hand():
    # 0 of 10: the upper end is z^2 / (n + z^2) = 3.8415 / 13.8415.
    interval = wilson(0, 10)
    assert interval.low == 0.0
    assert interval.high == pytest.approx(0.2775, abs=1e-4)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_agrees_with_scipy(case):
    expected = scipy.stats.binomtest(*case).proportion_ci(0.9, method="wilson")
    interval = wilson(*case, level=0.9)
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-9)


@pytest.mark.parametrize("case", [(0, 0), (3, 2), (-1, 2)])
def test_wrong_input_is_refused(case):
    with pytest.raises(InputError, match="hint"):
        wilson(*case)
