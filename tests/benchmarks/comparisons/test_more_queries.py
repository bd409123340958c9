import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.comparisons.pairing import more_queries
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
    more = more_queries(one, 0.3, **BY)
    assert power(0.3, sd=0.5, queries=10 + more, **BY) >= 0.8
    assert power(0.3, sd=0.5, queries=9 + more, **BY) < 0.8
    assert more < more_queries(one, 0.01, **BY)
    assert more < more_queries(one, 0.3, candidates=9, alpha=0.05)
    assert more_queries(comparison(0.3, 0.5, 500), 0.3, **BY) == 1  # at least one


@pytest.mark.parametrize(("wanted", "sd"), [(0.0, 0.5), (-0.1, 0.5), (0.1, math.inf), (1e-15, 0.5)])
def test_what_is_no_gain_or_has_no_spread_has_no_number(wanted, sd):
    assert more_queries(comparison(0.1, sd, 10), wanted, **BY) is None


def test_queries_that_all_tie_tell_no_number():
    assert more_queries(comparison(0.0, 0.0, 30), 0.01, **BY) is None


def test_few_queries_that_all_gain_wait_until_flips_can_show_it():
    assert more_queries(comparison(1.0, 0.0, 3), 1.0, **BY) == 3  # 2^-5 is below .05, 2^-4 not


@given(st.integers(1, 12), st.integers(1, 8))
def test_as_many_flips_as_it_says_can_show_it(queries, candidates):
    more = more_queries(comparison(1.0, 0.0, queries), 1.0, candidates=candidates, alpha=0.05)
    p = randomisation(np.ones((queries + more, 1)), flips=10_000, seed=0)
    assert candidates * float(p[0]) < 0.05
