"""A race stops the best of all queries in 5 % of the orders at most, and stops the bad early."""

import numpy as np
import pytest

from assay.statistics.race import race

pytestmark = pytest.mark.long

TRIALS, QUERIES, ALPHA = 1_000, 100, 0.05
LOOKS = range(1, QUERIES)  # after each query, which is the hardest


def equal(rng):
    """Return six runs with the same scores for other queries: all are the best."""
    scores = rng.random(QUERIES)
    return np.column_stack([rng.permutation(scores) for _ in range(6)])


def close(rng):
    """Return two that are .002 apart, and four that are worse."""
    shared = rng.normal(0.5, 0.2, (QUERIES, 1))
    scores = shared + rng.normal(0, 0.15, (QUERIES, 6)) - [0, 0, 0.1, 0.1, 0.2, 0.2]
    scores[:, 1] += scores[:, 0].mean() - scores[:, 1].mean() - 0.002
    return np.clip(scores, 0, 1)


def tied(rng):
    """Return runs that answer alike but for 6 queries of 100, in which each wins some."""
    scores = np.repeat((rng.random((QUERIES, 1)) < 0.6).astype(float), 6, axis=1)
    turned = rng.random((QUERIES, 6)) < 0.06
    return np.where(turned, 1 - scores, scores)


def skewed(rng):
    """Return reciprocal ranks cut at 10: mostly 0, and some that decide."""
    pull = rng.normal(0, 1, (QUERIES, 1)) + rng.normal(0, 1, (QUERIES, 6))
    rank = np.maximum(np.ceil(np.exp(1.2 * (pull + 1))), 1)
    return np.where(rank > 10, 0.0, 1 / rank)


def trap(rng):
    """Return one that leads by .05 nearly always, and loses it all to the best in 5 queries."""
    best = np.full(QUERIES, 0.5)
    lures = np.tile(best[:, None] + 0.025, (1, 5))
    for column in range(5):
        lures[rng.choice(QUERIES, 5, replace=False), column] = 0.0
    return np.column_stack([best, lures])


def opposite(rng):
    """Return zeros and ones: the best wins 51 queries of those that differ, and loses 49."""
    best = np.zeros(QUERIES)
    best[:51] = 1
    return np.column_stack([best, *(1 - best for _ in range(5))])[rng.permutation(QUERIES)]


def halves(rng):
    """Return eight runs that answer half of the queries each, by chance other ones."""
    half = np.repeat([1.0, 0.0], QUERIES // 2)
    return np.column_stack([rng.permutation(half) for _ in range(8)])


@pytest.mark.parametrize("draw", [equal, close, tied, skewed, trap, opposite, halves])
def test_the_best_is_seldom_stopped(draw, chance_bounds, record):
    rng = np.random.default_rng(11)
    wrong = []
    for _ in range(TRIALS):
        scores = draw(rng)[rng.permutation(QUERIES)]
        totals = scores.sum(axis=0)
        best = int(np.flatnonzero(totals >= totals.max() - 1e-9)[0])
        wrong.append(race(scores, population=QUERIES, alpha=ALPHA, ends=LOOKS).after[best] > 0)
    record("stopped", float(np.mean(wrong)))
    assert np.mean(wrong) <= chance_bounds(ALPHA, TRIALS)[1]


def test_collections_of_unlike_size(chance_bounds, record):
    """The best by the mean of the collections' means, which is not the one by all queries."""
    rng = np.random.default_rng(12)
    sizes = np.repeat([80, 20], [80, 20])
    wrong = []
    for _ in range(TRIALS):
        scores = np.clip(rng.normal(0.5, 0.2, (QUERIES, 4)), 0, 1)
        scores[:80, 1] = np.clip(scores[:80, 1] + 0.1, 0, 1)
        scores[80:, 0] = np.clip(scores[80:, 0] + 0.12, 0, 1)
        best = int(np.argmax(scores[:80].mean(axis=0) + scores[80:].mean(axis=0)))
        order = rng.permutation(QUERIES)
        weights = (sizes.min() / sizes)[order]
        raced = race(scores[order], population=QUERIES, ends=LOOKS, weights=weights)
        wrong.append(raced.after[best] > 0)
    record("stopped", float(np.mean(wrong)))
    assert np.mean(wrong) <= chance_bounds(ALPHA, TRIALS)[1]


def test_the_bad_are_stopped_early(record):
    """Two good ones and ten that are .15 worse, 300 queries: over half of the searches are saved"""
    rng, queries = np.random.default_rng(13), 300
    saved = []
    for _ in range(100):
        shared = rng.normal(0.5, 0.3, (queries, 1))
        levels = np.array([0, 0.01, *[-0.15] * 10])
        scores = np.clip(shared + levels + rng.normal(0, 0.2, (queries, 12)), 0, 1)
        after = race(scores, population=queries, ends=range(20, queries, 10)).after
        saved.append(1 - np.where(after > 0, after, queries).sum() / scores.size)
    record("saved", float(np.mean(saved)))
    assert np.mean(saved) > 0.5
