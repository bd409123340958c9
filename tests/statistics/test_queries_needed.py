import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.statistics.power import power
from assay.statistics.queries_needed import queries_needed


def test_known_figures():
    # G*Power 3.1: paired t, two-sided .05, power .8: d_z .5 -> 34, .2 -> 199, .1 -> 787.
    assert queries_needed(0.5, sd=1) == 34
    assert queries_needed(0.2, sd=1) == 199
    assert queries_needed(0.1, sd=1) == 787


@settings(max_examples=30)
@given(st.floats(0.005, 0.5), st.floats(0.05, 0.5), st.integers(1, 10))
def test_it_is_the_first_that_is_enough(difference, sd, candidates):
    queries = queries_needed(difference, sd=sd, candidates=candidates)
    assert power(difference, sd=sd, queries=queries, candidates=candidates) >= 0.8
    if queries > 2:
        assert power(difference, sd=sd, queries=queries - 1, candidates=candidates) < 0.8


def test_edges():
    assert queries_needed(0.1, sd=0.0) == 2
    assert queries_needed(-0.5, sd=1) == 34
    with pytest.raises(UsageError, match="hint"):
        queries_needed(0.0, sd=0.1)
    with pytest.raises(UsageError, match="hint"):
        queries_needed(0.1, sd=math.inf)
