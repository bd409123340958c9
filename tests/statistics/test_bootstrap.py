import math

import numpy as np
import pytest
import scipy.stats

from assay.errors import InputError
from assay.statistics.bootstrap import bootstrap

RANKS = np.array([1.0, 0.5, 1 / 3, 0.25, 0.2, 0.1, 0.0])


def reciprocal_ranks(queries, seed=0):
    return np.random.default_rng(seed).choice(RANKS, queries)


def test_a_mean_of_coin_flips_by_hand():
    # 50 ones of 100: symmetric, so BCa is the percentile interval, .5 -+ 1.96 x .05.
    interval = bootstrap(np.repeat([0.0, 1.0], 50))
    assert (interval.low, interval.high) == pytest.approx((0.402, 0.598), abs=0.01)


@pytest.mark.parametrize("queries", [10, 50, 200, 2000])
def test_agrees_with_scipy_at_the_level_that_makes_up_for_narrowness(queries):
    values = reciprocal_ranks(queries)
    wider = scipy.stats.t.ppf(0.975, queries - 1) * (queries / (queries - 1)) ** 0.5
    expected = scipy.stats.bootstrap(
        (values,),
        np.mean,
        method="BCa",
        confidence_level=1 - 2 * scipy.stats.norm.sf(wider),
        n_resamples=10_000,
        rng=1,
        batch=1000,
    ).confidence_interval
    interval = bootstrap(values)
    near = 0.06 * (expected.high - expected.low)  # two draws of 10,000 differ by this much
    assert interval.low == pytest.approx(expected.low, abs=near)
    assert interval.high == pytest.approx(expected.high, abs=near)


def test_computing_agrees_with_drawing_for_many_queries(monkeypatch):
    values = reciprocal_ranks(600) ** 2
    computed = bootstrap(values)
    monkeypatch.setattr("assay.statistics.bootstrap.MANY", 10**9)
    drawn = bootstrap(values, resamples=20_000)
    near = 0.02 * (drawn.high - drawn.low)
    assert (computed.low, computed.high) == pytest.approx((drawn.low, drawn.high), abs=near)


def test_many_queries_with_few_hits_are_drawn():
    rare = np.zeros(600)
    rare[:4] = 1.0
    # Four rare hits make a skewed mean: the upper end reaches further than the lower.
    interval = bootstrap(rare)
    assert interval.high - rare.mean() > 1.2 * (rare.mean() - interval.low)
    assert interval.low > 0


def test_collections_are_resampled_by_themselves():
    # Far apart but each constant: the macro mean of the two never moves.
    values, strata = np.repeat([0.2, 0.8], [10, 40]), np.repeat([0, 1], [10, 40])
    interval = bootstrap(values, strata=strata)
    assert (interval.low, interval.high) == pytest.approx((0.5, 0.5))
    assert interval.note == "all values equal"
    noisy = bootstrap(values + reciprocal_ranks(50) / 10, strata=strata)
    apart = bootstrap(values + reciprocal_ranks(50) / 10)
    assert noisy.high - noisy.low < (apart.high - apart.low) / 5


def test_a_collection_of_one_query_says_what_it_was_given():
    values, strata = np.append(reciprocal_ranks(40), 0.5), np.append(np.zeros(40, int), 1)
    interval = bootstrap(values, strata=strata)
    assert "spread of the other" in interval.note
    assert interval.low < (values[:40].mean() + 0.5) / 2 < interval.high


@pytest.mark.parametrize("values", [[0.0, 1.0], [0.0, 0.0, 1.0], [0.0] * 9 + [1.0]])
def test_few_queries_stay_within_what_was_seen(values):
    interval = bootstrap(np.array(values), level=0.999)
    assert 0 <= interval.low < np.mean(values) < interval.high <= 1


def test_equal_values_are_said_not_hidden():
    interval = bootstrap(np.full(20, 0.1))
    assert (interval.low, interval.high) == pytest.approx((0.1, 0.1))
    assert interval.note == "all values equal"


def test_one_query_has_no_spread_to_show():
    interval = bootstrap(np.array([0.7]))
    assert (interval.low, interval.high) == (-math.inf, math.inf)
    assert "one query" in interval.note


def test_a_seed_gives_the_same_bits():
    values = reciprocal_ranks(80)
    assert bootstrap(values, seed=3) == bootstrap(values, seed=3)
    assert bootstrap(values, seed=3) != bootstrap(values, seed=4)


def test_a_higher_level_is_wider():
    values = reciprocal_ranks(60)
    narrow, wide = bootstrap(values, level=0.8), bootstrap(values, level=0.99)
    assert wide.low < narrow.low < values.mean() < narrow.high < wide.high


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        bootstrap(np.array([]))
    with pytest.raises(InputError, match="row 2"):
        bootstrap(np.array([0.1, 0.2, np.nan]))
