"""Compare vectors of length 1 row by row: python cosines.py ONE OTHER."""

import json
import sys

import numpy as np

_, one, other = sys.argv
cosines = (np.load(one) * np.load(other)).sum(axis=1, dtype=np.float64)
print(json.dumps({"min": cosines.min(), "mean": cosines.mean()}))
