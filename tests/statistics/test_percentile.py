import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.percentile import percentile


def test_by_hand():
    assert percentile(np.array([40.0, 10.0, 20.0, 30.0]), 0.5) == 25.0
    assert percentile(np.array([10.0, 20.0]), 0.95) == pytest.approx(19.5)


def test_p99_of_100_samples_is_not_the_maximum():
    assert percentile(np.arange(1.0, 101.0), 0.99) == pytest.approx(99.01)


@given(st.lists(st.floats(0, 1e4), min_size=1, max_size=50), st.floats(0, 1))
def test_agrees_with_numpy(values, share):
    expected = np.percentile(values, 100 * share, method="linear")
    assert percentile(np.array(values), share) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_wrong_input_is_refused():
    with pytest.raises(UsageError, match=r"0\.95"):
        percentile(np.array([1.0]), 95)
    with pytest.raises(InputError, match="hint"):
        percentile(np.array([]), 0.5)
    with pytest.raises(InputError, match="row 0"):
        percentile(np.array([np.nan]), 0.5)
