"""Files to five mean scores with ranx: python ranx_files.py QRELS RUN."""

import json
import sys

from ranx import Qrels, Run, evaluate

NAMES = {
    "ndcg@10": "ndcg@10",
    "mrr": "mrr",
    "ap": "map",
    "recall@100": "recall@100",
    "precision@10": "precision@10",
}

qrels = Qrels.from_file(sys.argv[1], kind="trec")
run = Run.from_file(sys.argv[2], kind="trec")
means = evaluate(qrels, run, list(NAMES.values()))
print(json.dumps({ours: float(means[theirs]) for ours, theirs in NAMES.items()}))
