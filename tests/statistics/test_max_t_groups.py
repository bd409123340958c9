import math
from itertools import permutations
from statistics import fmean, variance

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.max_t_groups import max_t_groups

# nDCG@10 of the 225 queries of Cranfield, in hundredths, as a mean over seven searches.
CRANFIELD = """
    32 53 81 65 53 20 30 17 85 30 23 23 0 89 83 28 44 24 10 54 7 0 30 53 62 43 2 0 44 28 0 10 68
    55 4 34 18 1 18 10 93 38 71 0 25 50 43 39 31 32 41 48 30 19 40 14 17 18 30 37 57 5 0 52 46
    10 69 28 15 22 4 19 52 30 11 41 43 81 4 0 64 35 17 34 15 71 0 68 40 23 57 33 63 60 44 46 13
    7 42 32 82 62 0 15 66 61 45 74 0 38 26 44 20 26 11 13 0 39 95 50 52 23 13 0 25 44 19 0 43 40
    16 60 35 20 43 73 28 28 0 20 27 0 71 54 50 62 31 50 36 73 0 1 33 85 24 55 54 51 13 18 64 23
    36 59 64 1 19 33 36 68 68 94 95 19 1 14 76 74 39 46 24 66 54 44 68 32 23 52 16 39 22 57 71
    29 21 29 72 49 13 34 41 13 16 1 69 25 30 67 20 47 9 60 58 30 0 0 41 33 8 23 32 71 71 13 13
"""
SCORES = np.array(CRANFIELD.split(), np.float64) / 100
UNEVEN = np.repeat(np.arange(6), [150, 40, 20, 10, 4, 1])


def groups(labels):
    """Return a column of 0 and 1 for each label."""
    return (np.asarray(labels)[:, None] == np.unique(labels)).astype(np.float64)


def test_two_groups_of_three_that_share_nothing_are_two_of_twenty_deals():
    p = max_t_groups(np.array([0.0, 0, 0, 1, 1, 1]), groups([0, 0, 0, 1, 1, 1]))
    assert p == pytest.approx([0.1, 0.1], abs=0.01)


def apart(scores, group):
    """Return the statistic of a group as the docs have it, number by number."""
    parts = [
        [one for one, held in zip(scores, group, strict=True) if held == own] for own in (1, 0)
    ]
    spreads = [max(variance(scores), variance(p) if len(p) > 1 else 0.0) for p in parts]
    error = sum(spread / len(part) for spread, part in zip(spreads, parts, strict=True))
    return abs(fmean(parts[0]) - fmean(parts[1])) / math.sqrt(error)


def test_the_share_of_all_deals_that_are_as_far_apart_anywhere():
    scores = [0.0, 0.15, 0.2, 0.6, 1.0, 0.95]
    member = np.array([[1, 0, 0], [1, 0, 1], [1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]])
    columns = member.T.tolist()
    most = [max(apart(dealt, one) for one in columns) for dealt in permutations(scores)]
    wanted = [np.mean(np.array(most) >= apart(scores, one) - 1e-9) for one in columns]
    assert max_t_groups(np.array(scores), member, shuffles=40_000) == pytest.approx(
        wanted, abs=0.01
    )


@pytest.mark.parametrize("labels", [np.arange(225) % 5, UNEVEN], ids=["even", "uneven"])
def test_shuffled_labels_on_real_scores_are_told_apart_in_5_percent(labels):
    rng, trials = np.random.default_rng(7), 400
    found = [
        max_t_groups(SCORES, groups(rng.permutation(labels)), shuffles=99, seed=at).min() <= 0.05
        for at in range(trials)
    ]
    reach = 1.96 * math.sqrt(0.05 * 0.95 / trials)
    assert 0.05 - reach <= np.mean(found) <= 0.05 + reach


def test_a_category_that_is_harder_is_found_and_no_other_is_called_harder():
    rng, found, wrong = np.random.default_rng(8), 0, 0
    for at in range(40):
        labels = rng.permutation(np.arange(225) % 5)
        scores = SCORES - 0.15 * (labels == 2)
        p = max_t_groups(scores, groups(labels), shuffles=199, seed=at)
        low = [scores[labels == one].mean() < scores[labels != one].mean() for one in range(5)]
        harder = {*np.flatnonzero((p <= 0.05) & low).tolist()}
        found += 2 in harder
        wrong += bool(harder - {2})
    assert found >= 32
    assert wrong <= 2


def test_ties_count_and_rounding_makes_none_smaller():
    scores = np.array([0.1, 0.1, 0.1 + 1e-16, 0.3, 0.3, 0.3] * 5)
    p = max_t_groups(scores, groups([0, 0, 1, 1, 1, 0] * 5))
    assert p[0] == p[1] == max_t_groups(scores.round(3), groups([0, 0, 1, 1, 1, 0] * 5))[0]


def test_what_cannot_differ_has_p_1():
    assert max_t_groups(np.full(9, 0.1), groups([0, 1, 2] * 3)).tolist() == [1.0] * 3
    whole = np.column_stack([np.ones(6), np.zeros(6), [1, 0, 0, 0, 0, 0]])
    p = max_t_groups(np.array([0.0, 1, 1, 1, 1, 1]), whole)
    assert p[:2].tolist() == [1.0, 1.0]
    assert p[2] < 1
    assert max_t_groups(np.array([0.5]), np.ones((1, 1))).tolist() == [1.0]
    assert max_t_groups(np.array([0.5, 0.1]), np.ones((2, 0))).tolist() == []


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 8)), min_size=1, max_size=30))
def test_p_is_a_share_the_same_each_time_and_blind_to_scale(drawn):
    labels, scores = groups([one for one, _ in drawn]), np.array([one / 8 for _, one in drawn])
    p = max_t_groups(scores, labels, shuffles=99, seed=3)
    assert ((p >= 0.01) & (p <= 1)).all()
    assert p.tolist() == max_t_groups(scores, labels, shuffles=99, seed=3).tolist()
    assert p.tolist() == max_t_groups(8 * scores, labels, shuffles=99, seed=3).tolist()


def test_many_queries_are_dealt_in_blocks_and_one_group_of_many_is_found():
    scores = np.random.default_rng(0).random(5_000)
    labels = np.arange(5_000) % 4
    assert max_t_groups(scores + 0.2 * (labels == 1), groups(labels), shuffles=199)[1] == 0.005


def test_what_is_no_score_and_what_does_not_fit_is_refused():
    with pytest.raises(InputError, match="not a finite number"):
        max_t_groups(np.array([0.1, np.nan]), np.ones((2, 1)))
    with pytest.raises(UsageError, match="2 scores, but groups of shape"):
        max_t_groups(np.array([0.1, 0.2]), np.ones((3, 1)))
