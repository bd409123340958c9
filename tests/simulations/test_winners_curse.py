"""The corrected gain of the best of many: less than .005 off on average, and nearer than before."""

import numpy as np
import pytest

from assay.statistics.winners_curse import winners_curse

pytestmark = pytest.mark.long

TRIALS = 3_000
QUERIES = 100
SETTINGS = {
    "5 equal": np.zeros(5),
    "20 equal": np.zeros(20),
    "one of 10 clearly better": np.array([0.15, *[0.0] * 9]),
    "one of 10 a little better": np.array([0.03, *[0.0] * 9]),
    "10 in steps": np.linspace(-0.03, 0.03, 10),
    "2 close": np.array([0.0, 0.02]),
}


@pytest.mark.parametrize("ties", [0.0, 0.6])
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_bias_is_small(setting, ties, record):
    gains, rng = SETTINGS[setting], np.random.default_rng(11)
    corrected, observed = [], []
    for seed in range(TRIALS):
        # The candidates share a baseline, so half of their noise is common.
        noise = rng.normal(0, 1, (QUERIES, 1)) + rng.normal(0, 1, (QUERIES, len(gains)))
        kept = (rng.random(noise.shape) >= ties) / (1 - ties) ** 0.5
        found = winners_curse(gains + 0.25 / 2**0.5 * noise * kept, repeats=100, seed=seed)
        corrected.append(found.corrected - gains[found.winner])
        observed.append(found.observed - gains[found.winner])
    record("bias", float(np.mean(corrected)))
    record("uncorrected", float(np.mean(observed)))
    record("error", _error(corrected))
    record("uncorrected error", _error(observed))
    assert abs(np.mean(corrected)) < 0.005
    assert _error(corrected) < _error(observed) + 0.001  # no cost to speak of for a clear winner


def _error(found):
    """Return the root of the mean squared error."""
    return float(np.sqrt(np.mean(np.square(found))))
