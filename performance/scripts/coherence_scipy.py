"""Solve coherence's systems with scipy: python coherence_scipy.py CANDIDATES DIMENSION QUERIES.

One call of `scipy.sparse.linalg.cg` for each dimension, with the same matrices, right sides, start,
tolerance, cap and preconditioner. The matrices are made before the clock starts.
"""

import json
import sys
import time

import numpy as np
from _coherence import candidates
from scipy.sparse import csr_array, dia_array, diags_array
from scipy.sparse.linalg import cg

from assay.engines.coherence.graph import mutual_graph
from assay.records import CoherenceSettings, Floats

_, count, dimension, queries = map(int, [0, *sys.argv[1:]])
SETTINGS = CoherenceSettings()


def solve(matrix: csr_array, jacobi: dia_array, right: Floats, start: Floats) -> Floats:
    """Solve column by column."""
    columns = [
        cg(
            matrix,
            b,
            x,
            rtol=SETTINGS.tolerance,
            atol=0.0,
            maxiter=SETTINGS.max_iterations,
            M=jacobi,
        )
        for b, x in zip(right.T, start.T, strict=True)
    ]
    if any(failed for _, failed in columns):
        raise SystemExit("a column did not converge")
    return np.stack([column for column, _ in columns], axis=1)


def systems(rows: Floats, query: Floats) -> list[tuple[csr_array, dia_array, Floats]]:
    """Return matrix, preconditioner and right side of the baseline and of the solution."""
    lg, lc, lq = SETTINGS.ground, SETTINGS.smoothing, SETTINGS.anchor
    pull = np.maximum(rows @ query, 0)
    pull *= lq / pull.sum()
    graph = mutual_graph(rows, neighbours=SETTINGS.neighbours)
    plain = (lc * graph.laplacian() + lg * diags_array(np.ones(len(rows)))).tocsr()
    pulled = (plain + diags_array(pull)).tocsr()
    rights = (lg * rows, lg * rows + np.outer(pull, query))
    pairs = zip((plain, pulled), rights, strict=True)
    return [(one, diags_array(1 / one.diagonal()), right) for one, right in pairs]


seconds, along = [], []
for seed in range(queries):
    rows, query = candidates(count, dimension, seed)
    first, second = systems(rows, query)
    begun = time.process_time()
    baseline = solve(*first, rows)
    solution = solve(*second, baseline)
    seconds.append(time.process_time() - begun)
    along.append((solution @ query).tolist())
print(json.dumps({"s": seconds, "along": along}))
