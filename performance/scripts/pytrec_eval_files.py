"""Files to five mean scores with pytrec_eval: python pytrec_eval_files.py QRELS RUN."""

import json
import sys

import pytrec_eval

NAMES = {
    "ndcg@10": "ndcg_cut_10",
    "mrr": "recip_rank",
    "ap": "map",
    "recall@100": "recall_100",
    "precision@10": "P_10",
}

with open(sys.argv[1]) as file:  # noqa: PTH123
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:  # noqa: PTH123
    run = pytrec_eval.parse_run(file)
measures = {"ndcg_cut.10", "recip_rank", "map", "recall.100", "P.10"}
per_query = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
means = {
    ours: sum(scores[theirs] for scores in per_query.values()) / len(per_query)
    for ours, theirs in NAMES.items()
}
print(json.dumps(means))
