import numpy as np
import pytest
import scipy.stats

from assay.errors import InputError, UsageError
from assay.statistics.percentile_interval import percentile_interval


def test_the_median_of_ten_by_hand():
    # P(B <= 1) = 11/1024 = .0107 and P(B <= 2) = .0547: the 2nd and the 9th value, at 97.9 %.
    interval = percentile_interval(np.arange(1.0, 11.0), 0.5)
    assert (interval.low, interval.high, interval.note) == (2.0, 9.0, "")


@pytest.mark.parametrize("count", [30, 100, 1000])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.95])
def test_agrees_with_scipy(count, share):
    values = np.random.default_rng(count).lognormal(0, 1, count)
    expected = scipy.stats.quantile_test(values, p=share).confidence_interval(0.95)
    interval = percentile_interval(values, share)
    ends = [e if np.isfinite(e) else values.max() for e in expected]
    assert [interval.low, interval.high] == ends


def test_p99_of_fewer_than_100_samples_says_so():
    assert "p99 of 99 samples" in percentile_interval(np.arange(99.0), 0.99).note
    assert "too few samples for the p99" in percentile_interval(np.arange(100.0), 0.99).note
    assert percentile_interval(np.arange(500.0), 0.99).note == ""


def test_low_percentiles_mirror_the_high_ones():
    values = np.arange(60.0)
    low, high = percentile_interval(values, 0.05), percentile_interval(values, 0.95)
    assert (59 - high.high, 59 - high.low) == (low.low, low.high)
    assert "smallest" in low.note
    assert "largest" in high.note


def test_one_sample():
    interval = percentile_interval(np.array([7.0]), 0.5)
    assert (interval.low, interval.high) == (7.0, 7.0)
    assert interval.note


def test_wrong_input_is_refused():
    with pytest.raises(UsageError):
        percentile_interval(np.array([1.0]), 95)
    with pytest.raises(InputError, match="hint"):
        percentile_interval(np.array([]), 0.5)
