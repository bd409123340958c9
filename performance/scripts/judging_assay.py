"""Hide the judgments of Cranfield and ask for them: python judging_assay.py DATA FOLDER SUBSETS.

Real configurations are run first, unless ASSAY_JUDGING_REPORT names a report of them.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from _judging import STRATEGIES, Pool, pool_of, settled_at, winner_at

import assay
from assay.records import Report
from assay.reports.runs.json.read import load_report

data, folder, subsets = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
RUNS, QUERIES = 8, 60
FIRST = 2000  # of the seeds: the strategy was chosen by looking at lower ones
CONFIGURATIONS: list[dict[str, Any]] = [
    {"name": "bm25", "search": "lexical"},
    {"name": "words fts5", "search": "lexical", "lexical": "fts5"},
    {"name": "words documents", "search": "lexical", "lexical_unit": "document"},
    {"name": "dense", "search": "dense"},
    {"name": "meaning fixed 64", "search": "dense", "chunker": "fixed", "chunk_size": 64},
    {"name": "meaning by coherence", "search": "dense", "coherence": True},
    {"name": "hybrid"},
    {"name": "both rrf", "fusion": "rrf"},
    {"name": "both min_max", "fusion": "min_max"},
    {"name": "both z_score", "fusion": "z_score"},
    {"name": "both words heavy", "fusion": "min_max", "weights": [0.8, 0.2]},
    {"name": "both meaning heavy", "fusion": "min_max", "weights": [0.2, 0.8]},
    {"name": "both fts5 rrf", "lexical": "fts5", "fusion": "rrf"},
    {"name": "hybrid-rerank", "rerank": "maxsim", "rerank_depth": 20},
]


def report() -> Report:
    """Run the configurations for real."""
    if place := os.environ.get("ASSAY_JUDGING_REPORT"):
        return load_report(place)
    asked = {
        "name": "judging",
        "dataset": data,
        "metrics": ["ndcg@10"],
        "baseline": "bm25",
        "configurations": CONFIGURATIONS,
    }
    return assay.run(asked, untimed=True, workspace=folder / "judging.assay")


def measured(pool: Pool) -> dict[str, Any]:
    """Count judgments on many subsets of runs and queries."""
    winners: dict[str, list[int]] = {name: [] for name in STRATEGIES}
    settled: dict[str, list[int]] = {name: [] for name in STRATEGIES}
    sizes, pairs = [], []
    for seed in range(FIRST, FIRST + subsets):
        rng = np.random.default_rng(seed)
        queries = _some(rng, int(pool.query.max()) + 1, QUERIES)
        part = pool.part(_some(rng, pool.ranks.shape[1], RUNS), queries)
        pair = pool.part(_some(rng, pool.ranks.shape[1], 2), queries)
        sizes.append(len(part.query))
        pairs.append(len(pair.query))
        for name, strategy in STRATEGIES.items():
            winners[name].append(winner_at(part, strategy, np.random.default_rng(seed)))
            settled[name].append(settled_at(pair, strategy, np.random.default_rng(seed)))
    whole = {
        name: winner_at(pool, strategy, np.random.default_rng(FIRST))  # one order: it takes minutes
        for name, strategy in STRATEGIES.items()
    }
    return {
        "winner": {name: _figures(found, sizes) for name, found in winners.items()},
        "settled": {name: _figures(found, pairs) for name, found in settled.items()},
        "whole": whole,
        "fewer": {name: _fewer(winners["judge"], found) for name, found in winners.items()},
        "settled_fewer": {name: _fewer(settled["judge"], found) for name, found in settled.items()},
        "pool": {"all": len(pool.query), "part": _mean(sizes), "pair": _mean(pairs)},
        "runs": pool.ranks.shape[1],
        "subsets": subsets,
    }


def _some(rng: np.random.Generator, many: int, count: int) -> Any:  # noqa: ANN401
    return np.sort(rng.choice(many, min(count, many), replace=False))


def _figures(found: list[int], sizes: list[int]) -> dict[str, float]:
    """Give mean and median, the mean share of the pool, and its 95 % interval by the bootstrap."""
    share = np.array(found) / np.array(sizes)
    rng = np.random.default_rng(0)
    means = rng.choice(share, (10_000, len(share))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975]).tolist()
    return {
        "mean": _mean(found),
        "median": float(np.median(found)),
        "share": float(share.mean()),
        "low": low,
        "high": high,
    }


def _fewer(ours: list[int], theirs: list[int]) -> dict[str, float]:
    """Say how many fewer judgments are asked for, with a paired 95 % interval, and how often."""
    gap = np.array(theirs) - np.array(ours)
    rng = np.random.default_rng(0)
    means = rng.choice(gap, (10_000, len(gap))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975]).tolist()
    often = float((gap > 0).mean())
    return {"mean": float(gap.mean()), "low": low, "high": high, "often": often}


def _mean(values: list[int]) -> float:
    return float(np.mean(values))


print(json.dumps(measured(pool_of(report()))))
