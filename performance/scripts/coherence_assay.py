"""Rank by coherence with Assay: python coherence_assay.py CANDIDATES DIMENSION QUERIES.

Each query is ranked once uncounted and once counted: by the stage of a search, and part by part.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _coherence import candidates

from assay.engines.coherence.graph import mutual_graph
from assay.engines.coherence.rank import rank
from assay.engines.stages.coherence import coherence
from assay.records import CoherenceSettings, Floats, FoundRows, SearchInput

_, count, dimension, queries = map(int, [0, *sys.argv[1:]])
SETTINGS = CoherenceSettings()


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of a second call, and what it gave."""
    call()
    start = time.process_time()
    value = call()
    return time.process_time() - start, value


def measured(rows: Floats, query: Floats) -> tuple[dict[str, float], Any]:
    """Return the seconds of one query by part, and its ranking."""
    cosines = rows @ query
    kept = rows.astype(np.float32)
    found = FoundRows(np.arange(len(rows)), cosines, "cosine", 1.0)
    stage = coherence(kept.__getitem__, settings=SETTINGS)
    all_s, after = timed(lambda: stage(SearchInput("", query.astype(np.float32)), [found]))
    if after.kind != "coherence":
        raise SystemExit("a gate or a fallback left nothing to measure")
    graph_s, graph = timed(lambda: mutual_graph(rows, neighbours=SETTINGS.neighbours))
    clock = time.process_time_ns
    rank_s, ranked = timed(
        lambda: rank(rows, query, cosines, graph=graph, settings=SETTINGS, clock=clock)
    )
    solve_s = ranked.solve_ms / 1e3
    parts = {"all": all_s, "graph": graph_s, "solve": solve_s, "rank": rank_s - solve_s}
    return parts, ranked


seconds, iterations, along = [], [], []
for seed in range(queries):
    rows, query = candidates(count, dimension, seed)
    taken, ranked = measured(rows, query)
    seconds.append(taken)
    solved = ranked.solved
    iterations.append([solved.baseline.iterations, solved.solution.iterations])
    along.append((solved.solution.values @ query).tolist())
print(json.dumps({"s": seconds, "iterations": iterations, "along": along}))
