"""The predicted power is the share of true differences that the test does find."""

import numpy as np
import pytest

from assay.statistics.power import power
from assay.statistics.randomisation import randomisation
from assay.statistics.smallest_detectable import smallest_detectable
from assay.statistics.t_test import t_test

pytestmark = pytest.mark.long

TRIALS = 4_000
SD = 0.3


def normal(rng, size, gain):
    return rng.normal(gain, SD, size)


def with_ties(rng, size, gain):
    """Return differences of which 30 % are 0, the mean and the spread being as asked."""
    spread = ((SD**2 + gain**2 - gain**2 / 0.7) / 0.7) ** 0.5
    return np.where(rng.random(size) < 0.3, 0.0, rng.normal(gain / 0.7, spread, size))


CASES = [
    (draw, queries, candidates, part)
    for draw in (normal, with_ties)
    for queries in (10, 30, 100)
    for candidates in (1, 4)
    for part in (1.0, 0.6)
    if draw is normal or queries > 10  # ten differences with ties are too few for any formula
]


@pytest.mark.parametrize(("draw", "queries", "candidates", "part"), CASES)
def test_t(draw, queries, candidates, part, record):
    gain = part * smallest_detectable(sd=SD, queries=queries, candidates=candidates)
    predicted = power(gain, sd=SD, queries=queries, candidates=candidates)
    samples = draw(np.random.default_rng(queries), (TRIALS, queries), gain)
    found = float(np.mean([t_test(s) <= 0.05 / candidates for s in samples]))
    record("predicted", predicted)
    record("simulated", found)
    assert abs(found - predicted) < 0.05


@pytest.mark.parametrize("queries", [10, 30, 100])
def test_randomisation(queries, record):
    gain = smallest_detectable(sd=SD, queries=queries)
    columns = normal(np.random.default_rng(queries), (queries, TRIALS), gain)
    parts = np.array_split(columns, 20, axis=1)
    p = np.concatenate([randomisation(part, flips=2_000, seed=k) for k, part in enumerate(parts)])
    found = float((p <= 0.05).mean())
    record("predicted", 0.8)
    record("simulated", found)
    assert abs(found - 0.8) < 0.05
