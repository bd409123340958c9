"""Who is stopped in a race, and how seldom that is wrong."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.race import race

ALPHAS = (0.05, 0.2, 0.5)


def test_by_hand():
    """Two that always score 1 and 0, out of ten queries: the bets on the second and the third."""
    raced = race(np.array([[1.0, 0.0]] * 3), population=10)
    assert raced.e_values[0] == 1  # nobody bets against the leader
    # nothing is known before the first query, so nothing is at stake on it
    second = 0.95 / (1 - 1 / 9)  # an edge of 1/2 + 1/9 asks for more than there is to stake
    edge, spread = 2 / 3 + 2 / 8, 0.25 / 3
    third = edge / (spread + edge**2)
    won = (1 + second * (1 + 1 / 9)) * (1 + third * (1 + 2 / 8))
    assert raced.e_values[1] == pytest.approx(won)
    assert raced.after.tolist() == [0, 0]  # nobody looked


def test_it_is_looked_only_where_it_is_said_to_be():
    scores = np.array([[1.0, 0.0]] * 60)
    assert race(scores, population=300, ends=range(1, 60)).after.tolist() == [0, 6]
    assert race(scores, population=300, ends=[3, 20, 40]).after.tolist() == [0, 20]
    assert race(scores, population=60, ends=[60]).after.tolist() == [0, 0]  # all is known then


def test_who_cannot_catch_up_is_stopped_whatever_the_bound():
    scores = np.array([[1.0, 0.0]] * 6)
    raced = race(scores, population=10, alpha=1e-9, ends=range(1, 7))
    assert raced.after.tolist() == [0, 6]  # 6 behind, and only 4 are left
    assert raced.e_values[1] == np.inf
    assert raced.by[1] == 0
    level = race(np.array([[1.0, 0.0]] * 5), population=10, alpha=1e-12, ends=range(1, 6))
    assert level.after.tolist() == [0, 0]  # 5 behind, and 5 are left: it may come out even


def test_the_kept_are_never_stopped():
    scores = np.array([[1.0, 0.0, 0.0]] * 40)
    raced = race(scores, population=100, ends=[20], kept=[1])
    assert raced.after.tolist() == [0, 0, 20]
    assert raced.e_values[1] > 20


def test_equals_never_beat_each_other():
    column = np.random.default_rng(0).random((50, 1))
    raced = race(np.repeat(column, 4, axis=1), population=100, ends=range(1, 51))
    assert not raced.after.any()
    assert raced.e_values.tolist() == [1.0] * 4


def test_what_was_not_asked_of_those_that_were_stopped_is_not_needed():
    rng = np.random.default_rng(3)
    scores = rng.random((80, 5)) * [1.0, 0.9, 0.5, 0.3, 0.1]
    whole = race(scores, population=100, ends=range(10, 80, 5))
    assert (whole.after > 0).sum() >= 2
    asked = scores.copy()
    for column, after in enumerate(whole.after):
        asked[after or len(asked) :, column] = np.nan
    again = race(asked, population=100, ends=range(10, 80, 5))
    assert again.after.tolist() == whole.after.tolist()
    assert again.e_values.tolist() == whole.e_values.tolist()
    half = race(asked[:40], population=100, ends=range(10, 80, 5))
    assert half.after.tolist() == [after if after <= 40 else 0 for after in whole.after]


@pytest.mark.parametrize("scale", [(0.0, 5.0), (-1.0, 1.0), (2.0, 2.5)])
def test_other_bounds_are_the_same_race(scale):
    low, high = scale
    scores = np.random.default_rng(4).random((60, 4)) * [1, 0.8, 0.4, 0.2]
    ends = range(10, 60, 10)
    plain = race(scores, population=90, ends=ends)
    scaled = race(low + (high - low) * scores, population=90, ends=ends, bounds=scale)
    assert scaled.after.tolist() == plain.after.tolist()
    assert scaled.e_values == pytest.approx(plain.e_values)


@pytest.mark.parametrize(
    ("wins", "by", "losses"),
    [(6, 1.0, 6), (8, 0.5, 4), (10, 0.2, 2), (11, 1 / 11, 1), (3, 1.0, 4)],
)
def test_over_all_orders_of_wins_and_losses(wins, by, losses):
    """One wins some by little and loses others by all: both are equally good, or it is worse."""
    queries = wins + losses
    odds = []
    for lost in combinations(range(queries), losses):
        scores = np.tile([0.0, by], (queries, 1))  # the second wins, ...
        scores[list(lost)] = [1.0, 0.0]  # ... but for these
        odds.append(race(scores, population=queries).e_values[0])
    assert max(odds) > 2  # it is tempting
    for alpha in (0.05, 0.1, 0.2, 0.3, 0.5):
        assert np.mean(np.array(odds) >= 1 / alpha) <= alpha


grades = st.integers(0, 4).map(lambda grade: grade / 4)
populations = st.integers(2, 3).flatmap(
    lambda runs: st.lists(st.lists(grades, min_size=runs, max_size=runs), min_size=3, max_size=5)
)


@given(population=populations, weighed=st.booleans())
@settings(max_examples=25, deadline=None)
def test_over_all_orders_the_best_is_stopped_no_more_often_than_is_said(population, weighed):
    """No estimate: every order there is, and every configuration that is best or shares that."""
    scores = np.array(population)
    queries = len(scores)
    weights = np.where(np.arange(queries) % 2, 0.5, 1.0) if weighed else np.ones(queries)
    totals = weights @ scores
    best = np.flatnonzero(totals >= totals.max() - 1e-9)
    orders = np.array([*permutations(range(queries))])
    odds = np.array(
        [
            race(scores[order], population=queries, weights=weights[order]).e_values[best]
            for order in orders
        ]
    )
    for alpha in ALPHAS:
        assert ((odds >= 1 / alpha).mean(axis=0) <= alpha + 1e-12).all()


@given(seed=st.integers(0, 1000), swapped=st.permutations(range(5)))
@settings(max_examples=25, deadline=None)
def test_the_names_of_runs_are_of_no_account(seed, swapped):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 3, (40, 5)) / 2 * [1, 1, 0.9, 0.5, 0.2]
    ends = range(10, 40, 5)
    plain = race(scores, population=60, ends=ends)
    other = race(scores[:, swapped], population=60, ends=ends)
    assert other.e_values == pytest.approx(plain.e_values[swapped])
    assert other.after.tolist() == plain.after[swapped].tolist()


@given(st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_odds_are_never_below_what_nothing_staked_leaves(seed):
    rng = np.random.default_rng(seed)
    raced = race((rng.random((30, 6)) < rng.random(6)).astype(float), population=40)
    assert (raced.e_values >= 1).all()
    assert not np.isnan(raced.e_values).any()


def test_a_late_loss_does_not_bring_back_who_was_stopped():
    scores = np.array([[1.0, 0.0]] * 30 + [[0.0, 1.0]] * 10)
    assert race(scores, population=100, ends=[20, 40]).after[1] == 20
    assert race(scores, population=100, ends=[40]).after[1] == 40  # the odds were reached before


@pytest.mark.parametrize(
    ("scores", "options", "error"),
    [
        (np.full((3, 2), 1.5), {}, InputError),
        (np.full((3, 2), -0.1), {}, InputError),
        (np.ones((3, 2)), {"bounds": (0.0, np.inf)}, InputError),
        (np.ones((3, 2)), {"bounds": (1.0, 1.0)}, InputError),
        (np.ones((3, 2)), {"alpha": 0.0}, UsageError),
        (np.ones((3, 2)), {"alpha": 1.0}, UsageError),
        (np.ones((3, 2)), {"weights": np.array([1.0, 0.5])}, UsageError),
        (np.ones((3, 2)), {"weights": np.array([1.0, 0.5, 2.0])}, UsageError),
        (np.ones((30, 2)), {}, UsageError),
        (np.ones((0, 2)), {}, UsageError),
        (np.ones(3), {}, UsageError),
        (np.ones((3, 0)), {}, UsageError),
        (np.array([[1.0, np.nan]]), {}, UsageError),
    ],
)
def test_what_makes_no_sense_is_refused(scores, options, error):
    with pytest.raises(error):
        race(scores, population=20, **options)


def test_whoever_leads_is_not_stopped():
    """Two that are equally good change places; the odds were reached while it was far behind."""
    half = np.repeat([1.0, 0.0], 30)
    scores = np.column_stack([half, 1 - half])
    far = np.concatenate([np.zeros(20), np.ones(30), np.zeros(10)])  # from 20 behind to 10 ahead
    behind = np.column_stack([far, 1 - far])
    found = race(behind, population=200, ends=[50])
    assert found.e_values[0] > 20
    assert found.after[0] == 0
    rng = np.random.default_rng(7)
    for _ in range(100):
        found = race(scores[rng.permutation(60)], population=60, ends=range(20, 60, 5))
        assert not ((found.after > 0) & (found.by == np.arange(2))).any()
