import math

import numpy as np
import pytest

from assay.statistics.effect import effect
from assay.statistics.t_interval import t_interval


def test_by_hand():
    # Mean .1, squares about it .09 + .01 + .01 + .01 + .01 + .01: sd sqrt(.14 / 5).
    found = effect(np.array([0.4, 0.0, 0.0, 0.0, 0.0, 0.2]))
    assert found.difference == pytest.approx(0.1)
    assert found.sd == pytest.approx(math.sqrt(0.14 / 5))
    assert found.standardised == pytest.approx(0.1 / math.sqrt(0.14 / 5))
    assert (found.wins, found.ties, found.losses) == (2, 4, 0)


def test_rounding_is_a_tie():
    found = effect(np.array([0.1 + 0.2 - 0.3, 1.0, -1.0]))
    assert (found.wins, found.ties, found.losses) == (1, 1, 1)


def test_collections_weigh_equally_and_the_spread_is_that_of_the_interval():
    rng = np.random.default_rng(0)
    values, strata = rng.normal(0, 1, 60), np.repeat([0, 1, 2], [10, 20, 30])
    found = effect(values, strata=strata)
    macro = np.mean([values[strata == c].mean() for c in range(3)])
    assert found.difference == pytest.approx(macro)
    interval = t_interval(values, strata=strata)
    error = found.sd / math.sqrt(60)
    assert 1.9 * error < (interval.high - interval.low) / 2 < 2.2 * error


@pytest.mark.parametrize(
    ("values", "standardised"),
    [([0.0, 0.0], 0.0), ([0.2, 0.2], math.inf), ([-0.2, -0.2], -math.inf)],
)
def test_no_spread(values, standardised):
    assert effect(np.array(values)).standardised == standardised


def test_one_query_hides_its_spread():
    found = effect(np.array([0.3]))
    assert (found.difference, found.sd, found.standardised) == (0.3, math.inf, 0.0)
