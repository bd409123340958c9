import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.errors import InputError
from assay.statistics.winners_curse import winners_curse

scores = st.sampled_from([-0.5, -1 / 3, 0.0, 0.1, 0.25, 0.5, 1.0])


def test_two_queries_by_hand():
    # Noise (.08) exceeds the spread of the gains (.02), so both count as equal. A sample has the
    # first query twice (A seems .2 better), the second twice (B does), or both (neither does).
    gains = np.array([[0.4, -0.2], [0.0, 0.2]])
    found = winners_curse(gains, repeats=100_000)
    assert (found.winner, found.observed) == (0, pytest.approx(0.2))
    assert found.corrected == pytest.approx(0.1, abs=0.002)


def test_gains_that_spread_more_than_noise_are_shrunk_in_part_by_hand():
    # A quarter of the samples has A .1 too high and B .1 too low, a quarter the reverse. Variance
    # of the gains: 2 x .125^2 = .03125; of the noise: half of 2 x .1^2, times 2 / (2 - 1), = .02.
    # The root of 1 - .02 / .03125 is .6: the true difference is taken as .15, not .25. So B is the
    # best of a quarter of the samples: there it seems .1 better than it is, and A .1 worse.
    gains = np.array([[0.35, -0.1], [0.15, 0.1]])
    found = winners_curse(gains, repeats=100_000)
    assert found.corrected == pytest.approx(0.25 - 0.2 / 4, abs=0.002)


def test_leaders_that_tie_are_not_corrected_below_the_worst_candidate():
    gains = np.random.default_rng(5).normal(0, 0.3, (25, 3))
    gains += np.array([0.06, 0.06, 0.04]) - gains.mean(axis=0)
    assert 0.04 - 1e-12 <= winners_curse(gains).corrected < 0.06
    assert winners_curse(gains[:, :2]).corrected == pytest.approx(0.06)


@settings(max_examples=40)
@given(arrays(np.float64, st.tuples(st.integers(2, 24), st.integers(1, 5)), elements=scores))
def test_it_never_exceeds_what_was_observed(gains):
    found = winners_curse(gains, repeats=5)
    assert gains.mean(axis=0).min() - 1e-12 <= found.corrected <= found.observed
    assert found.observed == pytest.approx(gains.mean(axis=0).max())


def test_one_candidate_has_no_curse():
    gains = np.random.default_rng(0).normal(0.1, 0.3, 40)
    found = winners_curse(gains)
    assert found.corrected == pytest.approx(gains.mean())


def test_a_clear_winner_keeps_its_gain():
    gains = np.random.default_rng(1).normal([0.0, 0.3, 0.0], 0.1, (50, 3))
    found = winners_curse(gains)
    assert found.winner == 1
    assert found.corrected == pytest.approx(found.observed)


def test_the_best_of_many_equals_loses_its_luck():
    gains = np.random.default_rng(2).normal(0, 0.3, (100, 30))
    found = winners_curse(gains)
    assert found.observed > 0.04
    assert found.corrected < found.observed / 2


def test_collections_weigh_equally():
    gains, strata = np.repeat([0.4, 0.0], [5, 20]), np.repeat([0, 1], [5, 20])
    found = winners_curse(gains, strata=strata)
    assert found.observed == pytest.approx(0.2)
    assert found.corrected == pytest.approx(0.2)


def test_a_seed_gives_the_same_bits():
    gains = np.random.default_rng(3).normal(np.linspace(0, 0.4, 6), 0.3, (40, 6))
    assert winners_curse(gains, seed=1) == winners_curse(gains, seed=1)
    assert winners_curse(gains, seed=1) != winners_curse(gains, seed=2)


def test_one_query_cannot_be_checked():
    found = winners_curse(np.array([[0.1, 0.3]]))
    assert (found.winner, found.observed, found.corrected) == (1, 0.3, None)
    assert found.note


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        winners_curse(np.zeros((0, 2)))
    with pytest.raises(InputError, match="row 0"):
        winners_curse(np.array([[np.nan, 0.1]]))


def test_what_was_stopped_had_its_chance_but_is_not_the_winner():
    rng = np.random.default_rng(2)
    gains = rng.normal(size=(40, 30))
    gains -= gains.mean(axis=0) - np.linspace(0.1, 0.0, 30)  # the first is the best of all
    alone = winners_curse(gains[:, :1])
    counted = winners_curse(gains, stopped=29)
    assert (counted.winner, counted.observed) == (0, pytest.approx(alone.observed))
    assert alone.corrected == pytest.approx(alone.observed)
    assert counted.corrected < counted.observed - 0.01
    assert winners_curse(gains[:, ::-1], stopped=1).winner == 28  # the best itself was stopped
