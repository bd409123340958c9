"""Test all pairs of systems with Assay: python randomisation_assay.py SCORES FLIPS REPEATS."""

import json
import sys
from itertools import combinations

import numpy as np
from _timing import timed

from assay.statistics.randomisation import randomisation

_, path, flips, repeats = sys.argv
systems = np.load(path)


def test() -> list[float]:
    """Return a p-value for each pair and metric, differences included in the work."""
    pairs = combinations(range(len(systems)), 2)
    differences = np.concatenate([systems[a] - systems[b] for a, b in pairs]).T
    return randomisation(differences, flips=int(flips)).tolist()


print(json.dumps(timed(test, int(repeats))))
