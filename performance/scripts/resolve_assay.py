"""Resolve made-up references with Assay: python resolve_assay.py CASE QUERIES REFERENCES CORPUS."""

import json
import sys
import time

from _resolving import dataset, documents

from assay.datasets.resolve.resolve import resolve

_, case, queries, references, corpus = sys.argv
asked = dataset(case, int(queries), int(references), int(corpus))
start = time.process_time()
found = resolve(asked, documents(int(corpus)))
taken = time.process_time() - start
counts = {"resolved": found.resolved, "ambiguous": found.ambiguous, "missing": found.missing}
print(json.dumps({"cpu_s": taken, **counts}))
