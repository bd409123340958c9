"""What the simulations share: scores that look like real ones, and bounds that chance allows."""

import math

import numpy as np
import pytest

# rank of the first relevant document -> how often; rank 0 is a miss
HARD = {1: 0.05, 2: 0.05, 3: 0.05, 5: 0.1, 8: 0.1, 10: 0.1, 0: 0.55}
MIXED = {1: 0.35, 2: 0.15, 3: 0.1, 4: 0.05, 5: 0.05, 10: 0.1, 0: 0.2}
EASY = {1: 0.7, 2: 0.12, 3: 0.06, 5: 0.05, 10: 0.02, 0: 0.05}
KINDS = {"hard": HARD, "mixed": MIXED, "easy": EASY}


class ReciprocalRanks:
    """Scores 1/rank of queries that are hard, mixed or easy, with their true mean."""

    def __init__(self, kind):
        chances = KINDS[kind]
        self.values = np.array([1 / rank if rank else 0.0 for rank in chances])
        self.chances = np.array(list(chances.values()))
        self.mean = float(self.values @ self.chances)

    def draw(self, rng, size):
        return rng.choice(self.values, size, p=self.chances)


@pytest.fixture
def reciprocal_ranks():
    return ReciprocalRanks


@pytest.fixture
def chance_bounds():
    """Return the bounds of a rate that is truly `rate`, over this many trials; 95 % by default."""

    def bounds(rate, trials, errors=1.96):
        reach = errors * math.sqrt(rate * (1 - rate) / trials)
        return rate - reach, rate + reach

    return bounds


@pytest.fixture
def record(request):
    """Keep a measured figure with the test's report: `--junitxml` writes it down."""
    return lambda name, value: request.node.user_properties.append((name, float(value)))
