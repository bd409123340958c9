import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks._more_queries import for_difference, for_gain
from assay.records import Comparison, Interval
from assay.statistics.power import power
from assay.statistics.randomisation import randomisation

BY = {"candidates": 1, "alpha": 0.05}


def comparison(difference, sd, queries, wins=None, losses=0):
    wins = queries if wins is None else wins
    one = Interval(0.0, 1.0)
    ties = queries - wins - losses
    figures = (0.5, 0.5 + difference, one, one, difference, one, 0.2, 0.2, 0.1)
    return Comparison("mrr", queries, *figures, wins, ties, losses, 0.5, sd=sd)


def test_those_that_are_there_are_counted():
    one = comparison(0.3, 0.5, 10)
    more = for_gain(one, **BY)
    assert power(0.3, sd=0.5, queries=10 + more, **BY) >= 0.8
    assert power(0.3, sd=0.5, queries=9 + more, **BY) < 0.8
    assert more < for_difference(one, 0.01, **BY)
    assert for_difference(one, 0.3, **BY) == more
    assert more < for_gain(one, candidates=9, alpha=0.05)


@pytest.mark.parametrize(("difference", "sd"), [(0.0, 0.5), (-0.1, 0.5), (0.1, math.inf)])
def test_what_is_no_gain_or_has_no_spread_has_no_number(difference, sd):
    assert for_gain(comparison(difference, sd, 10), **BY) is None


def test_noise_is_no_plan():
    assert for_gain(comparison(1e-15, 0.5, 10), **BY) is None
    assert for_difference(comparison(0.1, 0.5, 10), 0.0, **BY) is None


def test_few_queries_that_all_gain_wait_until_flips_can_show_it():
    assert for_gain(comparison(1.0, 0.0, 3), **BY) == 3  # 2^-5 is below .05, and 2^-4 is not
    assert for_gain(comparison(1.0, 0.0, 6, wins=2), **BY) == 12  # each third query differs


@given(st.integers(1, 12), st.integers(1, 8))
def test_as_many_flips_as_it_says_can_show_it(queries, candidates):
    more = for_gain(comparison(1.0, 0.0, queries), candidates=candidates, alpha=0.05)
    p = randomisation(np.ones((queries + more, 1)), flips=10_000, seed=0)
    assert candidates * float(p[0]) < 0.05
