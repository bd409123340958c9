"""Search vectors exactly and approximately: python dense_assay.py VECTORS DIMENSION REPEATS."""

import json
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import faiss
import numpy as np

from assay.engines.dense import DenseIndex, recall
from assay.engines.dense._faiss import _DIGEST, _MARK
from assay.engines.dense.exact import exact
from assay.engines.dense.hnsw import hnsw
from assay.engines.dense.ivf import ivf
from assay.records import Vectors

_, given, width, turns = sys.argv
COUNT, DIMENSION, REPEATS = int(given), int(width), int(turns)
BEST, QUERIES, CENTRES = 10, 200, 1_000
SPREAD = 1.8  # of a vector around its centre: neighbours have a cosine of about .24
EFFORTS = {"hnsw": (16, 32, 64, 128, 256), "ivf": (1, 4, 16, 64)}
SETTING = {"hnsw": "ef_search", "ivf": "probes"}


def around(centres: Vectors, count: int, random: np.random.Generator) -> Vectors:
    """Make unit vectors that lie around some centres."""
    noise = random.standard_normal((count, DIMENSION), np.float32)
    rows = centres[random.integers(0, len(centres), count)] + SPREAD * noise
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def seconds(search: Callable[[Vectors], object], queries: Vectors) -> list[float]:
    """Return the CPU time of this thread for each query, the median of several turns."""
    search(queries[0])
    turns = [[_taken(search, query) for query in queries] for _ in range(REPEATS)]
    return [median(each) for each in zip(*turns, strict=True)]


def _taken(search: Callable[[Vectors], object], query: Vectors) -> float:
    start = time.thread_time()
    search(query)
    return time.thread_time() - start


def alone(index: DenseIndex, kind: str, effort: int) -> Callable[[Vectors], object]:
    """Return the search of faiss by itself, in the same graph or lists."""
    body = index.save()[len(_MARK) + 2 * _DIGEST :]
    raw = faiss.deserialize_index(np.frombuffer(body, np.uint8))
    parameters = (
        faiss.SearchParametersHNSW(efSearch=effort)
        if kind == "hnsw"
        else faiss.SearchParametersIVF(nprobe=effort)
    )
    return lambda query: raw.search(query[None, :], BEST, params=parameters)


random = np.random.default_rng(0)
centres = random.standard_normal((CENTRES, DIMENSION), np.float32)
vectors, queries = around(centres, COUNT, random), around(centres, QUERIES, random)
rows = np.arange(COUNT)
truth = exact(vectors, rows)
told: dict[str, Any] = {"s": {"exact": seconds(lambda q: truth.search(q, BEST), queries)}}
told |= {"recall": {}, "faiss": {}}
for kind, make in (("hnsw", hnsw), ("ivf", ivf)):
    index = make(vectors, rows)
    for effort in EFFORTS[kind]:
        name, tuned = f"{kind}, {SETTING[kind]} {effort}", index.with_effort(effort)
        told["s"][name] = seconds(lambda q, tuned=tuned: tuned.search(q, BEST), queries)
        told["recall"][name] = recall(tuned, truth, queries, BEST).mean
        told["faiss"][name] = seconds(alone(index, kind, effort), queries)
print(json.dumps(told))
