"""Queries whose weights are skewed as traffic is: Zipf's, where the first has a fifth of it."""

import numpy as np
import pytest

from assay.statistics.mean_interval import mean_interval
from assay.statistics.noninferiority import noninferiority
from assay.statistics.power import power
from assay.statistics.randomisation import randomisation
from assay.statistics.smallest_detectable import smallest_detectable
from assay.statistics.t_interval import t_interval

pytestmark = pytest.mark.long

SIZES = pytest.mark.parametrize("queries", [30, 100])


def zipf(queries, exponent=1.0):
    return 1 / np.arange(1.0, queries + 1) ** exponent


def differences(reciprocal_ranks, seed, size):
    scores, rng = reciprocal_ranks("mixed"), np.random.default_rng(seed)
    return scores.draw(rng, size) - scores.draw(rng, size)


def share_holding(intervals, truth):
    return float(np.mean([interval.low <= truth <= interval.high for interval in intervals]))


@SIZES
@pytest.mark.parametrize("kind", ["hard", "mixed", "easy"])
def test_the_interval_of_a_mean(kind, queries, reciprocal_ranks, record):
    scores = reciprocal_ranks(kind)
    samples = scores.draw(np.random.default_rng(queries), (10_000, queries))
    weights = zipf(queries)
    share = share_holding((mean_interval(s, weights=weights) for s in samples), scores.mean)
    record("share", share)
    assert 0.91 <= share <= 0.97


@SIZES
def test_the_interval_of_a_difference(queries, reciprocal_ranks, record):
    samples, weights = differences(reciprocal_ranks, queries, (10_000, queries)), zipf(queries)
    share = share_holding((t_interval(s, weights=weights) for s in samples), 0.0)
    record("share", share)
    assert 0.93 <= share <= 0.97


@SIZES
def test_the_interval_where_the_heavy_gain_more(queries, record):
    """Weights of a population: lognormal, and the more a query weighs the more it gains."""
    rng = np.random.default_rng(queries)
    size = rng.normal(0, 1, (10_000, queries))
    samples, weights = 0.2 * size + rng.normal(0, 1, size.shape), np.exp(size)
    pairs = zip(samples, weights, strict=True)
    share = share_holding((t_interval(s, weights=w) for s, w in pairs), 0.2)  # E wx / E w
    record("share", share)
    assert 0.93 <= share <= 0.97


@SIZES
def test_false_alarms_of_sign_flips(queries, reciprocal_ranks, chance_bounds, record):
    samples, weights = differences(reciprocal_ranks, 7 + queries, (4_000, queries)), zipf(queries)
    pairs = enumerate(samples)
    p = [randomisation(s, flips=999, seed=k, weights=weights).item() for k, s in pairs]
    share = np.mean(np.array(p) < 0.05)
    record("share", share)
    low, high = chance_bounds(0.05, 4_000)
    assert low <= share <= high


@SIZES
def test_a_loss_of_the_margin_is_seldom_taken_for_none(queries, reciprocal_ranks, record):
    samples, weights = differences(reciprocal_ranks, 8 + queries, (10_000, queries)), zipf(queries)
    p = [noninferiority(s - 0.05, margin=0.05, weights=weights).p for s in samples]
    share = np.mean(np.array(p) < 0.05)
    record("share", share)
    assert share <= 0.065


@SIZES
@pytest.mark.parametrize("exponent", [0.5, 0.7, 1.0])
def test_power_is_at_least_what_was_predicted(queries, exponent, record):
    weights = zipf(queries, exponent)
    spread = np.sqrt(queries * (weights @ weights)) / weights.sum()  # of one query: 1
    wanted = smallest_detectable(sd=spread, queries=queries)
    for part in (1.0, 0.6):
        samples = np.random.default_rng(9).normal(part * wanted, 1, (2_000, queries))
        p = [
            randomisation(s, flips=499, seed=k, weights=weights).item()
            for k, s in enumerate(samples)
        ]
        found = np.mean(np.array(p) < 0.05)
        record(f"power at {part}", found)
        predicted = power(part * wanted, sd=spread, queries=queries)
        assert predicted - 0.03 <= found <= predicted + 0.2
