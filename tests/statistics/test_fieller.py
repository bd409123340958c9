import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.statistics.fieller import fieller
from assay.statistics.t_interval import t_interval


def test_by_hand():
    # Below is 2 without any spread: the interval is that of the mean above, halved.
    above = np.array([1.0, 2.0, 3.0])
    interval, plain = fieller(above, np.full(3, 2.0)), t_interval(above)
    assert (interval.low, interval.high) == pytest.approx((plain.low / 2, plain.high / 2))


def test_a_ratio_that_is_the_same_everywhere_is_known():
    below = np.array([0.1, 0.5, 0.9, 0.7])
    interval = fieller(0.25 * below, below)
    assert (interval.low, interval.high) == pytest.approx((0.25, 0.25), abs=1e-6)


numbers = st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=6, max_size=6)


@given(numbers, numbers)
def test_its_ends_are_the_ratios_that_can_just_not_be_ruled_out(above, below):
    tops, bottoms = np.array(above), np.array(below) + 2.0
    assume(np.ptp(tops) > 0.05)
    interval = fieller(tops, bottoms)
    assume(interval is not None and interval.high - interval.low > 1e-3)
    assert interval.low <= tops.mean() / bottoms.mean() <= interval.high
    for end, side in ((interval.low, "low"), (interval.high, "high")):
        left = t_interval(tops - end * bottoms)
        assert getattr(left, side) == pytest.approx(0.0, abs=1e-6)


def test_two_collections_count_the_same():
    rng = np.random.default_rng(3)
    above, below = rng.random(40), rng.random(40) + 1
    strata = np.repeat([0, 1], [30, 10])
    ratio = (above[:30].mean() + above[30:].mean()) / (below[:30].mean() + below[30:].mean())
    interval = fieller(above, below, strata=strata)
    assert interval.low < ratio < interval.high
    left = t_interval(above - interval.low * below, strata=strata)
    assert left.low == pytest.approx(0.0, abs=0.02)  # the degrees of freedom differ a little


def test_what_may_be_divided_by_nothing_has_no_bounds():
    assert fieller(np.array([0.1, 0.3, 0.2]), np.array([-1.0, 1.0, 0.1])) is None
    assert fieller(np.array([0.5]), np.array([1.0])) is None


def test_few_queries_are_noted():
    rng = np.random.default_rng(5)
    above, below = rng.random(20), rng.random(20) + 1
    assert fieller(above, below).note == ""
    assert "fewer than 20 queries" in fieller(above[:19], below[:19]).note


def test_wrong_input_is_refused():
    with pytest.raises(InputError):
        fieller(np.array([]), np.array([]))


@pytest.mark.long
def test_the_true_ratio_is_covered():
    rng, held, trials = np.random.default_rng(11), 0, 4000
    for _ in range(trials):
        below = rng.beta(2, 2, 40)
        above = 0.1 * below + rng.normal(0, 0.15, 40)
        interval = fieller(above, below)
        held += interval is not None and interval.low <= 0.1 <= interval.high
    assert held / trials == pytest.approx(0.95, abs=0.012)


@pytest.mark.long
@pytest.mark.parametrize(("count", "least"), [(10, 0.75), (20, 0.9)])
def test_ratios_of_scores_of_0_and_1_need_more_queries(count, least):
    # The baseline answers .7 of the queries; of .4 of them the candidate's answer is drawn anew.
    rng, held, trials = np.random.default_rng(count), 0, 1000
    for _ in range(trials):
        before = (rng.random(count) < 0.7).astype(float)
        after = np.where(rng.random(count) < 0.4, rng.random(count) < 0.8, before)
        interval = fieller(after - before, before)
        held += interval is not None and interval.low <= 0.04 / 0.7 <= interval.high
    assert least <= held / trials < (0.85 if count == 10 else 0.96)
