"""Race the recorded scores of a grid in many orders: DATASET KIND FOLDER ORDERS ALPHA."""

import json
import sys

import numpy as np

import assay
from assay.benchmarks.race.order import ends_of
from assay.statistics.race import race

SHARES = [[1, 3], [1, 1], [3, 1]]
FUSIONS = ["rrf", "min_max", "z_score"]
MODELS = ["minilm", "static"]
# What somebody would try who knows nothing yet: words, meaning, both, joined in many ways.
GRID = [
    {"name": "words", "search": "lexical", "lexical_unit": ["document", "chunk"]},
    {"name": "words-64", "search": "lexical", "lexical_unit": "chunk", "chunk_size": 64},
    {"name": "meaning", "search": "dense", "model": MODELS},
    {"name": "meaning-64", "search": "dense", "model": "static", "chunk_size": 64},
    {"name": "both", "model": MODELS, "fusion": FUSIONS, "weights": SHARES},
    {"name": "blend", "model": MODELS},
    {"name": "both-64", "model": "static", "chunk_size": 64, "fusion": [*FUSIONS, "blend"]},
    {
        "name": "summed",
        "model": "static",
        "chunk_size": 64,
        "fusion": "min_max",
        "collapse": ["sum", "top3"],
    },
]
# What somebody would try who knows nearly all: one search, its weights in small steps.
STEPS = [[1, round(0.8 + 0.05 * step, 2)] for step in range(16)]
NEAR = [{"name": "both", "model": "minilm", "fusion": ["min_max", "z_score"], "weights": STEPS}]
KINDS = {"grid": GRID, "near": NEAR}
QUERIES, FIRST, METRIC = 300, 20, "ndcg@10"


def main(dataset: str, kind: str, folder: str, orders: str, alpha: str) -> None:
    """Print how a race goes on average."""
    asked = {"dataset": dataset, "metrics": [METRIC], "configurations": KINDS[kind]}
    report = assay.run(asked, untimed=True, sample=QUERIES, workspace=folder)
    scores = np.array([[of[METRIC] for of in run.per_query.values()] for run in report.runs]).T
    queries, runs = scores.shape
    means = scores.mean(axis=0)
    best = np.flatnonzero(means >= means.max() - 1e-12)
    rng, ends = np.random.default_rng(0), ends_of(FIRST, queries)
    saved, stopped, left = [], [], []
    for _ in range(int(orders)):
        shuffled = scores[rng.permutation(queries)]
        after = race(shuffled, population=queries, alpha=float(alpha), ends=ends, kept=[0]).after
        saved.append(1 - np.where(after > 0, after, queries).sum() / scores.size)
        stopped.append(after[best] > 0)
        left.append((after == 0).sum())
    print(
        json.dumps(
            {
                "runs": runs,
                "queries": queries,
                "winner": report.runs[best[0]].name,
                "saved": float(np.mean(saved)),
                "saved_90": np.quantile(saved, [0.05, 0.95]).tolist(),
                "stopped": float(np.mean(stopped, axis=0).max()),
                "left": float(np.mean(left)),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
