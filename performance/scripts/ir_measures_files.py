"""Files to five mean scores with ir_measures: python ir_measures_files.py QRELS RUN."""

import json
import sys

import ir_measures
from ir_measures import AP, RR, P, R, nDCG

MEASURES = {
    "ndcg@10": nDCG @ 10,
    "mrr": RR,
    "ap": AP,
    "recall@100": R @ 100,
    "precision@10": P @ 10,
}

qrels = ir_measures.read_trec_qrels(sys.argv[1])
run = ir_measures.read_trec_run(sys.argv[2])
means = ir_measures.calc_aggregate(list(MEASURES.values()), qrels, run)
print(json.dumps({name: means[measure] for name, measure in MEASURES.items()}))
