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
    ends = [end if np.isfinite(end) else np.inf for end in expected]
    assert [interval.low, interval.high] == ends


def test_p99_of_fewer_than_100_samples_says_so():
    assert "p99 of 99 samples" in percentile_interval(np.arange(99.0), 0.99).note
    of_a_hundred = percentile_interval(np.arange(100.0), 0.99)
    assert of_a_hundred.note == "too few samples for the upper end of the p99 interval"
    assert of_a_hundred.high == np.inf
    assert percentile_interval(np.arange(500.0), 0.99).note == ""


def test_low_percentiles_mirror_the_high_ones():
    values = np.arange(60.0)
    low, high = percentile_interval(values, 0.05), percentile_interval(values, 0.95)
    assert (59 - high.high, 59 - high.low) == (low.low, low.high)
    assert low.note == "too few samples for the lower end of the p5 interval"
    assert high.note == "too few samples for the upper end of the p95 interval"


@pytest.mark.parametrize(
    ("count", "share", "ends"), [(5, 0.5, 0), (6, 0.5, 2), (71, 0.95, 1), (72, 0.95, 2)]
)
def test_an_end_needs_samples_by_hand(count, share, ends):
    # .5^5 = .031 and .5^6 = .016; .95^71 = .0262 and .95^72 = .0249: against .025
    interval = percentile_interval(np.arange(float(count)), share)
    assert sum(map(np.isfinite, (interval.low, interval.high))) == ends


def test_one_sample():
    interval = percentile_interval(np.array([7.0]), 0.5)
    assert (interval.low, interval.high) == (-np.inf, np.inf)
    assert interval.note


def test_wrong_input_is_refused():
    with pytest.raises(UsageError):
        percentile_interval(np.array([1.0]), 95)
    with pytest.raises(InputError, match="hint"):
        percentile_interval(np.array([]), 0.5)
