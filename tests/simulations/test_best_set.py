"""The set holds the true best, and every equally good one, in 95 % of the cases."""

import numpy as np
import pytest

from assay.statistics.best_set import best_set

pytestmark = pytest.mark.long

TRIALS = 2_000
SETTINGS = {
    "all equal": [0.0] * 6,
    "two share the lead": [0.05, 0.05, 0.0, 0.0, -0.1],
    "close behind": [0.05, 0.04, 0.03, 0.02, 0.01, 0.0],
    "one far ahead": [0.3, 0.0, 0.0, 0.0],
    "many bad ones": [0.05, 0.04, *[-0.3] * 10],
}


def even(rng, queries, levels):
    """Return scores whose query effect is shared and whose noise is normal."""
    shared = rng.normal(0.5, 0.3, (queries, 1))
    return levels + shared + rng.normal(0, 0.2, (queries, len(levels)))


def reciprocal(rng, queries, levels):
    """Return reciprocal ranks cut at 10: discrete, skewed, with many ties and zeros."""
    pull = rng.normal(0, 1, (queries, 1)) + rng.normal(0, 1, (queries, len(levels)))
    rank = np.maximum(np.ceil(np.exp(1.2 * (pull + 1) - 8 * levels)), 1)
    return np.where(rank > 10, 0.0, 1 / rank)


@pytest.mark.parametrize("draw", [even, reciprocal])
@pytest.mark.parametrize("queries", [10, 50])
@pytest.mark.parametrize("setting", SETTINGS)
def test_it_holds_the_best(draw, queries, setting, chance_bounds, record):
    levels = np.array(SETTINGS[setting])
    best, rng = levels == levels.max(), np.random.default_rng(7)
    sets = np.array(
        [
            best_set(draw(rng, queries, levels), flips=999, seed=seed).members
            for seed in range(TRIALS)
        ]
    )
    first, every = sets[:, best.argmax()].mean(), sets[:, best].all(axis=1).mean()
    record("first", float(first))
    record("every", float(every))
    record("size", float(sets.sum(axis=1).mean()))
    assert first >= 0.95
    assert every > chance_bounds(0.95, TRIALS)[0]


def test_it_is_no_larger_than_it_must_be(record):
    levels, rng = np.array(SETTINGS["one far ahead"]), np.random.default_rng(8)
    sizes = [best_set(even(rng, 50, levels), flips=999, seed=k).members.sum() for k in range(500)]
    record("size", float(np.mean(sizes)))
    assert np.mean(sizes) < 1.05
