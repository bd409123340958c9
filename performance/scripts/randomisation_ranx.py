"""Test all pairs of systems with ranx: python randomisation_ranx.py SCORES FLIPS REPEATS.

Its test is called on the arrays, each pair once: `ranx.compare` would also compute the metrics,
and test each pair in both directions.
"""

import json
import sys
from itertools import combinations

import numpy as np
from _timing import timed
from ranx.statistical_tests import fisher_randomization_test

_, path, flips, repeats = sys.argv
systems = np.load(path)


def test() -> list[float]:
    """Return a p-value for each pair and metric."""
    return [
        float(fisher_randomization_test(systems[a, metric], systems[b, metric], int(flips))[0])
        for a, b in combinations(range(len(systems)), 2)
        for metric in range(systems.shape[1])
    ]


warm_up = timed(lambda: fisher_randomization_test(systems[0, 0], systems[1, 0], 1), 0)
done = timed(test, int(repeats) - 1)
print(
    json.dumps({**done, "cpu_s": [done["first_s"], *done["cpu_s"]], "first_s": warm_up["first_s"]})
)
