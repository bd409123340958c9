"""Score a run held as ranx's objects: python memory_ranx.py QRELS RUN REPEATS.

The scores are not stored in the run: that would only cost ranx more.
"""

import json
import sys

from _timing import timed
from ranx import Qrels, Run, evaluate

NAMES = {
    "ndcg@10": "ndcg@10",
    "mrr": "mrr",
    "ap": "map",
    "recall@100": "recall@100",
    "precision@10": "precision@10",
}

_, qrels_path, run_path, repeats = sys.argv
qrels = Qrels.from_file(qrels_path, kind="trec")
run = Run.from_file(run_path, kind="trec")


def score() -> dict[str, float]:
    """Evaluate and name the means as Assay does."""
    means = evaluate(qrels, run, list(NAMES.values()), save_results_in_run=False)
    return {ours: float(means[theirs]) for ours, theirs in NAMES.items()}


print(json.dumps(timed(score, int(repeats))))
