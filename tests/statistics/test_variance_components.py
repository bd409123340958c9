import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.errors import InputError
from assay.statistics.variance_components import variance_components


def test_by_hand():
    # Rows (queries) 1 3, 4 6, 7 12: grand mean 5.5, builds 4 and 7, queries 2, 5, 9.5.
    told = variance_components(np.array([[1.0, 3.0], [4.0, 6.0], [7.0, 12.0]]))
    # Sums of squares: builds 3 (1.5^2 + 1.5^2) = 13.5; queries 2 (12.25 + .25 + 16) = 57;
    # left .5, -.5, .5, -.5, -1, 1: 3. Mean squares 13.5, 28.5 and 1.5.
    assert told["builds"] == 2
    assert told["sd_residual"] == pytest.approx(1.5**0.5)
    assert told["sd_build"] == pytest.approx(((13.5 - 1.5) / 3) ** 0.5)
    assert told["sd_query"] == pytest.approx(((28.5 - 1.5) / 2) ** 0.5)
    assert told["share_build"] == pytest.approx(4 / (4 + 13.5 + 1.5))
    assert "note" not in told


def test_an_estimate_below_0_is_0_and_said():
    told = variance_components(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    assert (told["sd_build"], told["sd_query"], told["share_build"]) == (0.0, 0.0, 0.0)
    assert told["note"] == "negative estimates reported as 0: build, query"


def test_builds_that_score_alike_do_not_vary():
    told = variance_components(np.tile(np.array([[0.1], [0.3], [0.7]]), (1, 4)))
    assert told["sd_build"] == told["sd_residual"] == told["share_build"] == 0.0
    assert told["sd_query"] == pytest.approx(np.std([0.1, 0.3, 0.7], ddof=1))
    assert "note" not in told
    assert variance_components(np.zeros((3, 3)))["share_build"] == 0.0


@pytest.mark.parametrize(("shape", "few"), [((5, 1), "one build"), ((1, 5), "one query")])
def test_what_cannot_be_estimated_is_none(shape, few):
    told = variance_components(np.ones(shape))
    assert told["builds"] == shape[1]
    assert told["sd_build"] is told["sd_query"] is told["share_build"] is None
    assert few in told["note"]


def test_it_finds_what_was_planted():
    rng = np.random.default_rng(3)
    estimates = []
    for _ in range(300):
        scores = rng.normal(0, 0.3, (40, 1)) + rng.normal(0, 0.1, (1, 6))
        told = variance_components(scores + rng.normal(0, 0.2, (40, 6)))
        estimates.append([told[f"sd_{part}"] ** 2 for part in ("build", "query", "residual")])
    build, query, residual = np.mean(estimates, axis=0)
    # Means of 300: their standard errors are about .0004, .0013 and .0001.
    assert build == pytest.approx(0.01, abs=0.0015)
    assert query == pytest.approx(0.09, abs=0.005)
    assert residual == pytest.approx(0.04, abs=0.0006)


@given(arrays(np.float64, (4, 3), elements=st.floats(0, 1)))
def test_shares_and_shifts(scores):
    told = variance_components(scores)
    assert 0 <= told["share_build"] <= 1
    moved = variance_components(1 - scores)
    for part in ("build", "query", "residual"):
        assert moved[f"sd_{part}"] == pytest.approx(told[f"sd_{part}"], abs=1e-6)


def test_odd_values_are_refused():
    with pytest.raises(InputError, match="not a finite number"):
        variance_components(np.array([[0.0, np.nan], [1.0, 1.0]]))
    with pytest.raises(InputError, match="no scores"):
        variance_components(np.empty((0, 2)))
