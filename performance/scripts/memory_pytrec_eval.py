"""Score a run held in dicts with pytrec_eval: python memory_pytrec_eval.py QRELS RUN REPEATS.

The evaluator, which holds the judgments, is made before the clock starts.
"""

import json
import sys

import pytrec_eval
from _timing import timed

NAMES = {
    "ndcg@10": "ndcg_cut_10",
    "mrr": "recip_rank",
    "ap": "map",
    "recall@100": "recall_100",
    "precision@10": "P_10",
}

_, qrels_path, run_path, repeats = sys.argv
with open(qrels_path) as file:  # noqa: PTH123
    qrels = pytrec_eval.parse_qrel(file)
with open(run_path) as file:  # noqa: PTH123
    run = pytrec_eval.parse_run(file)
measures = {"ndcg_cut.10", "recip_rank", "map", "recall.100", "P.10"}
evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures)


def score() -> dict[str, float]:
    """Evaluate each query and take the means."""
    per_query = evaluator.evaluate(run)
    return {
        ours: sum(scores[theirs] for scores in per_query.values()) / len(per_query)
        for ours, theirs in NAMES.items()
    }


print(json.dumps(timed(score, int(repeats))))
