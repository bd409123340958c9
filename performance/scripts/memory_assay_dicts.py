"""Score a run held in dicts with Assay: python memory_assay_dicts.py QRELS RUN REPEATS METRIC..."""

import json
import sys

import pytrec_eval
from _timing import timed

from assay import evaluate

_, qrels_path, run_path, repeats, *names = sys.argv
with open(qrels_path) as file:  # noqa: PTH123
    qrels = dict(pytrec_eval.parse_qrel(file))
with open(run_path) as file:  # noqa: PTH123
    run = dict(pytrec_eval.parse_run(file))

print(json.dumps(timed(lambda: evaluate(qrels, run, names).scores, int(repeats))))
