"""An interval of 95 % holds the true value in 93 to 97 % of the cases."""

import numpy as np
import pytest

from assay.statistics.bootstrap import bootstrap
from assay.statistics.percentile_interval import percentile_interval
from assay.statistics.t_interval import t_interval

pytestmark = pytest.mark.long


def share_holding(intervals, truth):
    return float(np.mean([interval.low <= truth <= interval.high for interval in intervals]))


@pytest.mark.parametrize("kind", ["hard", "mixed", "easy"])
def test_bootstrap_of_reciprocal_ranks(kind, reciprocal_ranks, record):
    scores = reciprocal_ranks(kind)
    samples = scores.draw(np.random.default_rng(50), (6_000, 50))
    # 2,000 draws: 10,000 moved the share by .001 and took five times as long.
    intervals = (bootstrap(s, resamples=2_000, seed=k) for k, s in enumerate(samples))
    share = share_holding(intervals, scores.mean)
    record("share", share)
    assert 0.93 <= share <= 0.97


def test_bootstrap_of_ten_queries(reciprocal_ranks, record):
    scores = reciprocal_ranks("easy")
    samples = scores.draw(np.random.default_rng(56), (6_000, 10))
    intervals = (bootstrap(s, resamples=2_000, seed=k) for k, s in enumerate(samples))
    share = share_holding(intervals, scores.mean)
    record("share", share)
    assert 0.945 <= share <= 0.98  # .93 when BCa is left as narrow as it is


def test_bootstrap_of_many_queries(reciprocal_ranks, record):
    scores = reciprocal_ranks("mixed")
    samples = scores.draw(np.random.default_rng(51), (5_000, 1_000))
    share = share_holding((bootstrap(s) for s in samples), scores.mean)
    record("share", share)
    assert 0.93 <= share <= 0.97


def test_bootstrap_of_collections(reciprocal_ranks, record):
    kinds = [reciprocal_ranks(kind) for kind in ("hard", "mixed", "easy")]
    rng, sizes = np.random.default_rng(52), (20, 30, 50)
    strata = np.repeat([0, 1, 2], sizes)
    samples = (
        np.concatenate([kind.draw(rng, n) for kind, n in zip(kinds, sizes, strict=True)])
        for _ in range(2_000)
    )
    truth = np.mean([kind.mean for kind in kinds])
    intervals = (
        bootstrap(s, resamples=2_000, seed=k, strata=strata) for k, s in enumerate(samples)
    )
    share = share_holding(intervals, truth)
    record("share", share)
    assert 0.93 <= share <= 0.97


def mostly_ties(rng, size):
    """Return differences of which 70 % are 0; the others lean towards a gain of .1."""
    return np.where(rng.random(size) < 0.7, 0.0, rng.normal(0.1, 0.3, size))


def test_t_interval_of_differences_with_70_percent_ties(record):
    samples = mostly_ties(np.random.default_rng(53), (20_000, 50))
    share = share_holding((t_interval(s) for s in samples), 0.03)
    record("share", share)
    assert 0.93 <= share <= 0.97


def test_t_interval_of_collections(record):
    rng, sizes, spreads = np.random.default_rng(54), (10, 30, 90), (0.4, 0.1, 0.3)
    strata, spread = np.repeat([0, 1, 2], sizes), np.repeat(spreads, sizes)
    samples = rng.normal(0.02, 1, (10_000, 130)) * spread + np.repeat([0.1, 0.0, -0.1], sizes)
    share = share_holding((t_interval(s, strata=strata) for s in samples), 0.02 * np.mean(spreads))
    record("share", share)
    assert 0.93 <= share <= 0.97


@pytest.mark.parametrize("share", [0.5, 0.95])
def test_percentile_interval_of_latencies(share, record):
    samples = np.random.default_rng(55).lognormal(0, 1, (5_000, 300))
    truth = np.exp({0.5: 0.0, 0.95: 1.6448536269514722}[share])
    held = share_holding((percentile_interval(s, share) for s in samples), truth)
    record("share", held)
    assert 0.945 <= held <= 0.98  # whole ranks: a little more than asked
