import numpy as np
import pytest

from assay.statistics.bootstrap import bootstrap
from assay.statistics.mean_interval import mean_interval
from assay.statistics.wilson import wilson


@pytest.mark.parametrize("hits", [0, 7, 20])
def test_proportions_get_wilsons_interval(hits):
    values = np.array([1.0] * hits + [0.0] * (20 - hits))
    found, expected = mean_interval(values), wilson(hits, 20)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.note == ("" if hits == 7 else "all values equal")
    assert found.low < found.high  # 20 of 20 are not certain


def test_other_scores_get_the_bootstraps():
    values = np.random.default_rng(2).random(20)
    assert mean_interval(values, seed=4) == bootstrap(values, seed=4)


def test_the_mean_of_proportions_takes_each_collection_by_itself():
    values, strata = np.array([1.0] * 20 + [1.0, 0.0, 0.0, 0.0]), np.array([0] * 20 + [1] * 4)
    found, large, small = mean_interval(values, strata=strata), wilson(20, 20), wilson(1, 4)
    assert found.low == pytest.approx(0.625 - 0.5 * np.hypot(1 - large.low, 0.25 - small.low))
    assert found.high == pytest.approx(0.625 + 0.5 * (small.high - 0.25))
    one = mean_interval(values[:20], strata=np.zeros(20, int))
    assert (one.low, one.high) == pytest.approx((large.low, large.high))


def test_it_covers_a_true_share_as_often_as_it_says():
    rng, hits = np.random.default_rng(6), 0
    for _ in range(1000):
        found = mean_interval((rng.random(20) < 0.9).astype(float))
        hits += found.low <= 0.9 <= found.high
    assert 0.93 <= hits / 1000 <= 0.99
