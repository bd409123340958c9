"""Equally good runs: each test calls them different in 5 % of the cases, no more and no less."""

import numpy as np
import pytest

from assay.statistics.holm import holm
from assay.statistics.max_t import max_t
from assay.statistics.randomisation import randomisation
from assay.statistics.t_test import t_test
from assay.statistics.wilcoxon import wilcoxon

pytestmark = pytest.mark.long

TRIALS = 10_000
FAMILIES = 4_000
CANDIDATES = 5


@pytest.fixture(params=[30, 100])
def equals(request, reciprocal_ranks):
    """Return the differences of equally good runs, one column for each trial."""
    scores, rng = reciprocal_ranks("mixed"), np.random.default_rng(request.param)
    size = (request.param, TRIALS)
    return scores.draw(rng, size) - scores.draw(rng, size)


def shared_flips(columns, **options):
    """Test the columns in parts, each with flips of its own."""
    parts = np.array_split(columns, 20, axis=1)
    return np.concatenate(
        [randomisation(part, flips=2_000, seed=k, **options) for k, part in enumerate(parts)]
    )


def test_randomisation(equals, chance_bounds, record):
    rate = float((shared_flips(equals) <= 0.05).mean())
    record("rate", rate)
    low, high = chance_bounds(0.05, TRIALS)
    assert low < rate < high


def test_randomisation_one_sided_at_the_gates_level(equals, chance_bounds, record):
    rate = float((shared_flips(equals, alternative="less") <= 0.005).mean())
    record("rate", rate)
    low, high = chance_bounds(0.005, TRIALS)
    assert low < rate < high


def test_t(equals, chance_bounds, record):
    rate = float(np.mean([t_test(column) <= 0.05 for column in equals.T]))
    record("rate", rate)
    low, high = chance_bounds(0.05, TRIALS)
    assert low < rate < high


def test_wilcoxon(equals, chance_bounds, record):
    rate = float(np.mean([wilcoxon(column) <= 0.05 for column in equals.T]))
    record("rate", rate)
    low, high = chance_bounds(0.05, TRIALS)
    assert low < rate < high


def families(reciprocal_ranks, *, shared):
    """Yield differences of equally good candidates from one baseline, or from one each."""
    scores, rng = reciprocal_ranks("mixed"), np.random.default_rng(17)
    for seed in range(FAMILIES):
        baseline = scores.draw(rng, (50, 1 if shared else CANDIDATES))
        yield seed, scores.draw(rng, (50, CANDIDATES)) - baseline


def test_holm_over_independent_candidates(reciprocal_ranks, chance_bounds, record):
    rate = np.mean(
        [
            holm(randomisation(family, flips=1_999, seed=seed)).min() <= 0.05
            for seed, family in families(reciprocal_ranks, shared=False)
        ]
    )
    record("rate", float(rate))
    low, high = chance_bounds(1 - (1 - 0.05 / CANDIDATES) ** CANDIDATES, FAMILIES)
    assert low < rate < high


def test_holm_over_candidates_of_one_baseline(reciprocal_ranks, chance_bounds, record):
    rate = np.mean(
        [
            holm(randomisation(family, flips=1_999, seed=seed)).min() <= 0.05
            for seed, family in families(reciprocal_ranks, shared=True)
        ]
    )
    record("rate", float(rate))
    assert rate < chance_bounds(0.05, FAMILIES)[1]  # dependence makes Holm careful


def test_max_t_over_candidates_of_one_baseline(reciprocal_ranks, chance_bounds, record):
    rate = np.mean(
        [
            max_t(family, flips=1_999, seed=seed).min() <= 0.05
            for seed, family in families(reciprocal_ranks, shared=True)
        ]
    )
    record("rate", float(rate))
    low, high = chance_bounds(0.05, FAMILIES)
    assert low < rate < high
