"""Make scores of five systems under five metrics: python make_scores.py QUERIES FILE.

The file holds (systems, metrics, queries); the systems differ by nothing, little and much.
"""

import sys

import numpy as np

queries, path = int(sys.argv[1]), sys.argv[2]
random = np.random.default_rng(1935)
difficulty = random.normal(0.0, 1.0, (1, 5, queries))
quality = np.array([0.0, 0.0, 0.01, 0.02, 0.1])[:, None, None]
noise = random.normal(0.0, 0.5, (5, 5, queries))
np.save(path, 1.0 / (1.0 + np.exp(-(difficulty + quality + noise))))
