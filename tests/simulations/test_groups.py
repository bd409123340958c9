"""Groups of queries that mean nothing are called different in 5 % of the trials, real ones more."""

import numpy as np
import pytest

from assay.statistics.max_t_groups import max_t_groups

pytestmark = pytest.mark.long

TRIALS, QUERIES, SHUFFLES = 2_000, 100, 199
SIZES = {"five": [20] * 5, "unlike": [60, 25, 10, 4, 1], "many": [5] * 20}


def groups(sizes):
    """Return a column of 0 and 1 for each group."""
    return np.repeat(np.eye(len(sizes)), sizes, axis=0)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("kind", ["hard", "mixed"])
def test_groups_that_mean_nothing(reciprocal_ranks, chance_bounds, record, kind, sizes):
    rng, drawn = np.random.default_rng(1), reciprocal_ranks(kind)
    wrong = sum(
        max_t_groups(
            drawn.draw(rng, QUERIES), groups(SIZES[sizes]), shuffles=SHUFFLES, seed=trial
        ).min()
        <= 0.05
        for trial in range(TRIALS)
    )
    record("false alarms", wrong / TRIALS)
    assert wrong / TRIALS <= chance_bounds(0.05, TRIALS)[1]


def test_a_small_group_that_is_no_harder_but_of_wider_spread(record):
    rng, wrong = np.random.default_rng(2), 0
    for trial in range(TRIALS):
        scores = rng.normal(0.5, np.repeat([0.3, 0.15], [10, 90]))
        wrong += max_t_groups(scores, groups([10, 90]), shuffles=SHUFFLES, seed=trial).min() <= 0.05
    record("false alarms", wrong / TRIALS)
    assert wrong / TRIALS <= 0.13


def test_a_group_that_is_harder(record):
    rng, found, others = np.random.default_rng(3), 0, 0
    sizes = [20] * 5
    for trial in range(TRIALS):
        scores = rng.normal(np.repeat([0.3, 0.5], [20, 80]), 0.25)
        p = max_t_groups(scores, groups(sizes), shuffles=SHUFFLES, seed=trial)
        lower = np.array([one.mean() < scores.mean() for one in scores.reshape(5, 20)])
        found += p[0] <= 0.05
        others += bool(((p <= 0.05) & lower)[1:].any())
    record("found", found / TRIALS)
    record("others called harder", others / TRIALS)
    assert found / TRIALS >= 0.7
    assert others / TRIALS <= 0.05
