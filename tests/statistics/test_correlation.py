import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.errors import InputError, UsageError
from assay.statistics.correlation import correlation


def test_by_hand():
    # Centred: (-1.5, -.5, .5, 1.5) and (-1.5, .5, -.5, 1.5); products sum to 4, squares to 5 each.
    found = correlation(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))

    assert found.r == pytest.approx(0.8)
    # t = .8 sqrt(2 / .36) = 1.8856 with 2 degrees: p = 1 - t / sqrt(2 + t^2) = 1 - .8.
    assert found.p == pytest.approx(0.2)
    # Fisher: atanh .8 = 1.0986, error 1 / sqrt(1).
    assert found.interval.low == pytest.approx(math.tanh(math.atanh(0.8) - 1.959963985))
    assert found.interval.high == pytest.approx(math.tanh(math.atanh(0.8) + 1.959963985))


@pytest.mark.parametrize("pairs", [5, 40, 300])
def test_agrees_with_scipy(pairs):
    rng = np.random.default_rng(pairs)
    a = rng.normal(size=pairs).round(1)  # with ties
    b = (a + rng.normal(size=pairs)).round(1)
    expected = scipy.stats.pearsonr(a, b)
    found = correlation(a, b, level=0.9)
    assert (found.r, found.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    ends = expected.confidence_interval(0.9)
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(ends), abs=1e-9)

    ranked, expected = correlation(a, b, ranks=True), scipy.stats.spearmanr(a, b)
    assert (ranked.r, ranked.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)


def test_the_interval_of_ranks_is_wider():
    rng = np.random.default_rng(0)
    a = rng.permutation(30).astype(float)
    b = a + rng.permutation(30)
    ranks = np.argsort(np.argsort(b + np.arange(30) * 1e-6)).astype(float)
    plain, ranked = correlation(a, ranks), correlation(a, ranks, ranks=True)

    assert ranked.r == pytest.approx(plain.r)
    assert ranked.interval.low < plain.interval.low
    assert ranked.interval.high > plain.interval.high


@pytest.mark.parametrize(
    ("first", "second"),
    [([], []), ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), ([1.0] * 9, list(range(9))),
     (list(range(9)), [0.1] * 9)],
)  # fmt: skip
def test_nothing_is_said_of_too_few_or_of_what_does_not_vary(first, second):
    found = correlation(np.array(first, float), np.array(second, float))
    assert (found.r, found.interval, found.p) == (None, None, None)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("pairs", [6, 400])
def test_a_perfect_line_has_a_p_above_0(sign, pairs):
    first = np.arange(float(pairs))
    found = correlation(first, sign * first, ranks=True)
    assert found.r == pytest.approx(sign)
    assert 0 < found.p < 0.01


def test_what_cannot_be_paired_is_refused():
    with pytest.raises(UsageError, match="cannot be paired"):
        correlation(np.arange(5.0), np.arange(4.0))
    with pytest.raises(InputError, match="finite"):
        correlation(np.arange(5.0), np.array([1, 2, np.nan, 4, 5]))


@given(arrays(float, (8, 2), elements=st.floats(-1e3, 1e3)), st.booleans())
def test_it_is_symmetric_bounded_and_turns_with_the_sign(pairs, ranks):
    a, b = pairs.T
    found, swapped = correlation(a, b, ranks=ranks), correlation(b, a, ranks=ranks)
    turned = correlation(a, -b, ranks=ranks)
    if found.r is None:
        assert swapped.r is None
        return
    assert -1 <= found.interval.low <= found.r <= found.interval.high <= 1
    assert 0 < found.p <= 1
    assert swapped.r == pytest.approx(found.r)
    assert turned.r == pytest.approx(-found.r)
