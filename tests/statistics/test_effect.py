import math

import numpy as np
import pytest

from assay.statistics.effect import effect
from assay.statistics.randomisation import randomisation
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


def test_the_spread_that_sign_flips_see_counts_what_collections_gain_against_each_other():
    rng = np.random.default_rng(0)
    strata = np.repeat([0, 1], 500)
    noise = rng.normal(0, 0.1, 1000)
    apart = noise + np.where(strata == 0, 0.4, -0.2)
    found = effect(apart, strata=strata)
    assert found.sd == pytest.approx(0.1, rel=0.1)
    assert found.flip_sd == pytest.approx(math.hypot(0.1, 0.3), rel=0.05)  # 0.1, and .3 around .1
    alike = effect(noise + 0.1, strata=strata)
    assert alike.flip_sd == pytest.approx(alike.sd, rel=0.02)
    assert effect(apart).flip_sd == effect(apart).sd
    # The p of the flips is that of a normal mean with this spread and the mean's own.
    small = apart[::25], strata[::25]
    some = effect(small[0], strata=small[1])
    z = some.difference / math.sqrt((some.flip_sd**2 + some.difference**2) / 40)
    p = float(randomisation(small[0], strata=small[1])[0])
    assert p == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.15)


@pytest.mark.parametrize(
    ("values", "standardised"),
    [([0.0, 0.0], 0.0), ([0.2, 0.2], math.inf), ([-0.2, -0.2], -math.inf)],
)
def test_no_spread(values, standardised):
    assert effect(np.array(values)).standardised == standardised


def test_one_query_hides_its_spread():
    found = effect(np.array([0.3]))
    assert (found.difference, found.sd, found.standardised) == (0.3, math.inf, 0.0)
